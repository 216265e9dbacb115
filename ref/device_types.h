/* SPDX-License-Identifier: Apache-2.0
 *
 * What the document says of each ArrowDeviceType. The table is device_types.def.
 */
#ifndef ADI_DEVICE_TYPES_H
#define ADI_DEVICE_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#include "abi.h"

/* What a device_id of the type means. */
enum adi_device_ids {
    ADI_IDS_NONE,  /* no notion of an id: -1 by convention, 0 accepted */
    ADI_IDS_LOOSE, /* host or managed memory: libraries write -1, 0 or a device's number */
    ADI_IDS_EXACT, /* names one device */
};

struct adi_device_type {
    ArrowDeviceType type;
    const char *macro; /* "ARROW_DEVICE_CUDA" */
    const char *name;  /* "cuda" */
    const char *event; /* "cudaEvent_t*"; NULL: sync_event should always be null */
    enum adi_device_ids ids;
};

/* All static, in the order of the values. NULL: there is none. */
const struct adi_device_type *adi_device_type_at(size_t index);
const struct adi_device_type *adi_device_type_find(ArrowDeviceType type);
const struct adi_device_type *adi_device_type_named(const char *name);

/* The name, or "unknown". Static text. */
const char *adi_device_type_name(ArrowDeviceType type);
/* May sync_event of the type be other than NULL? True for types that the document does not know. */
bool adi_device_type_has_event(ArrowDeviceType type);

#endif /* ADI_DEVICE_TYPES_H */
