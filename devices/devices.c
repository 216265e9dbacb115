/* SPDX-License-Identifier: Apache-2.0 */
#include "devices.h"

#include <string.h>

static const struct adi_device_ops *const devices[] = {
#define DEVICE(name) &adi_device_##name,
#include "devices.def"
#undef DEVICE
};

#define COUNT (sizeof devices / sizeof *devices)

const struct adi_device_ops *adi_device_at(size_t index) {
    return index < COUNT ? devices[index] : NULL;
}

const struct adi_device_ops *adi_device_of(ArrowDeviceType type) {
    for (size_t i = 0; i < COUNT; i++)
        if (devices[i]->type == type) return devices[i];
    return NULL;
}

const struct adi_device_ops *adi_device_named(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(devices[i]->name, name) == 0) return devices[i];
    return NULL;
}
