/* SPDX-License-Identifier: Apache-2.0
 *
 * What sync_event stands for: the handle that it points to, or the object that it is.
 */
#ifndef HANDLE_H
#define HANDLE_H

#include <stdlib.h>

#include "device.h"
#include "device_types.h"

static inline bool is_object(const struct adi_device *device) {
    return adi_device_type_of(device->ops->type)->event == ADI_EVENT_OBJECT;
}

static inline void *handle_of(const struct adi_device *device, void *sync_event) {
    return is_object(device) ? sync_event : *(void **)sync_event;
}

/* Frees the place of a handle, and not what it stands for. */
static inline void free_place(const struct adi_device *device, void *sync_event) {
    if (!is_object(device)) free(sync_event);
}

#endif /* HANDLE_H */
