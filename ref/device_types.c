/* SPDX-License-Identifier: Apache-2.0 */
#include "device_types.h"

#include <string.h>

#include "host.h"

static const struct adi_device_type types[] = {
#define DEVICE_TYPE(macro, name, family, buffer, host, ids, event, type)                           \
    {ARROW_DEVICE_##macro, name,          ARROW_DEVICE_##family, ADI_BUFFER_IS_##buffer,           \
     ADI_HOST_##host,      ADI_IDS_##ids, ADI_EVENT_##event,     type},
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

const struct adi_device_type *adi_device_type_of(ArrowDeviceType type) {
    static const struct adi_device_type unknown = {.name = "unknown",
                                                   .buffer = ADI_BUFFER_IS_UNSAID,
                                                   .host = ADI_HOST_ASK,
                                                   .ids = ADI_IDS_EXACT,
                                                   .event = ADI_EVENT_OBJECT};
    const struct adi_device_type *found = adi_device_type_find(type);
    return found == NULL ? &unknown : found;
}

const char *adi_device_type_name(ArrowDeviceType type) {
    return adi_device_type_of(type)->name;
}

bool adi_device_type_is_cpu(ArrowDeviceType type) {
    return adi_device_type_of(type)->family == ARROW_DEVICE_CPU;
}

bool adi_device_type_has_event(ArrowDeviceType type) {
    return adi_device_type_of(type)->event != ADI_EVENT_NONE;
}

void *adi_device_type_event(ArrowDeviceType type, void *sync_event) {
    void *handle = NULL;
    enum adi_device_event event = adi_device_type_of(type)->event;
    if (event == ADI_EVENT_OBJECT) return sync_event;
    if (event == ADI_EVENT_ADDRESS && sync_event != NULL)
        adi_host_read(sync_event, 0, &handle, sizeof handle, NULL);
    return handle;
}
