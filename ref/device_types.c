/* SPDX-License-Identifier: Apache-2.0 */
#include "device_types.h"

#include <string.h>

static const struct adi_device_type types[] = {
#define DEVICE_TYPE(macro, name, event, ids)                                                       \
    {ARROW_DEVICE_##macro, "ARROW_DEVICE_" #macro, name, event, ADI_IDS_##ids},
#include "device_types.def"
#undef DEVICE_TYPE
};

#define COUNT (sizeof types / sizeof *types)

const struct adi_device_type *adi_device_type_at(size_t index) {
    return index < COUNT ? &types[index] : NULL;
}

const struct adi_device_type *adi_device_type_find(ArrowDeviceType type) {
    for (size_t i = 0; i < COUNT; i++)
        if (types[i].type == type) return &types[i];
    return NULL;
}

const struct adi_device_type *adi_device_type_named(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(types[i].name, name) == 0) return &types[i];
    return NULL;
}

const char *adi_device_type_name(ArrowDeviceType type) {
    const struct adi_device_type *found = adi_device_type_find(type);
    return found == NULL ? "unknown" : found->name;
}

bool adi_device_type_has_event(ArrowDeviceType type) {
    const struct adi_device_type *found = adi_device_type_find(type);
    return found == NULL || found->event != NULL;
}
