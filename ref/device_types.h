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

/* What a buffer value of the type is. */
enum adi_device_buffer {
    ADI_BUFFER_IS_ADDRESS,
    ADI_BUFFER_IS_HANDLE, /* of an object of the API; an address only where the device says so */
    ADI_BUFFER_IS_UNSAID, /* by any document: the device says whether it is an address */
};

/* Can the CPU follow a buffer value to the data? */
enum adi_device_host {
    ADI_HOST_YES,
    ADI_HOST_NO,
    ADI_HOST_ASK, /* the runtime, of each buffer */
};

/* What sync_event is, where it is not NULL. */
enum adi_device_event {
    ADI_EVENT_NONE,    /* nothing: it should always be NULL */
    ADI_EVENT_ADDRESS, /* the address of a handle */
    ADI_EVENT_OBJECT,  /* the address of the event itself, which cannot be copied */
};

struct adi_device_type {
    ArrowDeviceType type;
    const char *name;       /* "cuda_host" */
    ArrowDeviceType family; /* CUDA: the type that gives the family its name */
    enum adi_device_buffer buffer;
    enum adi_device_host host;
    enum adi_device_ids ids;
    enum adi_device_event event;
    const char *event_type; /* "cudaEvent_t*"; NULL where there is none */
};

/* All static, in the order of the values. NULL: there is none. */
const struct adi_device_type *adi_device_type_at(size_t index);
const struct adi_device_type *adi_device_type_find(ArrowDeviceType type);
const struct adi_device_type *adi_device_type_named(const char *name);

/* The same, but never NULL: of a type that the document does not know it answers "unknown", that it
 * may have an event, and that nobody but its device may look through what it hands out. */
const struct adi_device_type *adi_device_type_of(ArrowDeviceType type);
const char *adi_device_type_name(ArrowDeviceType type);
/* Is it plain memory of the host, without any runtime? */
bool adi_device_type_is_cpu(ArrowDeviceType type);
/* May sync_event of the type be other than NULL? */
bool adi_device_type_has_event(ArrowDeviceType type);
/* What the runtime knows an event by: the handle that sync_event points to, or where it points.
 * NULL: it is NULL, or cannot be read, or the type has none. */
void *adi_device_type_event(ArrowDeviceType type, void *sync_event);

#endif /* ADI_DEVICE_TYPES_H */
