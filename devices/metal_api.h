/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/metal*.c: Metal by the runtime of Objective-C, whichever that is, and no
 * compiler of it. An object is a pointer; `adi_mtl_NAME` sends it a message of metal_api.def. ISO C
 * and dlfcn.h.
 */
#ifndef ADI_METAL_API_H
#define ADI_METAL_API_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

/* A value that an array comes with may be anything: these classes are known. */
enum adi_metal_class {
    ADI_METAL_UNKNOWN,
    ADI_METAL_BUFFER,
    ADI_METAL_EVENT,
    ADI_METAL_SHARED_EVENT,
};

#define ADI_METAL_SHARED    0  /* MTLResourceStorageModeShared */
#define ADI_METAL_PRIVATE   32 /* MTLResourceStorageModePrivate */
#define ADI_METAL_COMPLETED 4  /* MTLCommandBufferStatusCompleted; ERROR is the next */

struct adi_metal_found;

struct adi_metal_api {
    void *library;
    char path[256];
    bool is_simulated;
    void **devices; /* retained, as MTLCopyAllDevices has them */
    int count;
    /* Of the simulation; NULL: what is no object cannot be told from the contents of a buffer. */
    bool (*find)(const void *value, struct adi_metal_found *out);
};

/* Metal: ADI_METAL=real, sim, off or a path; else Apple's if there is a device, and the simulation.
 * Any thread. NULL: there is none, and why. */
const struct adi_metal_api *adi_metal_api(struct adi_error *error);

/* An autorelease pool around what sends messages. */
void *adi_metal_push(void);
void adi_metal_pop(void *pool);

/* What is there? Nothing is sent to it. */
enum adi_metal_class adi_metal_class_of(const void *value);

enum adi_metal_message {
#define MESSAGE(type, name, selector, parameters, types, arguments) ADI_MTL_##name,
#define TELL(name, selector, parameters, types, arguments)          ADI_MTL_##name,
#include "metal_api.def"
#undef MESSAGE
#undef TELL
    ADI_MTL_MESSAGES,
};

typedef void (*adi_metal_function)(void);

/* The function that an object answers a message with, and the message's selector. */
adi_metal_function adi_metal_method(const void *object, enum adi_metal_message message);
const void *adi_metal_selector(enum adi_metal_message message);

#define MESSAGE(type, name, text, parameters, types, arguments)                                    \
    static inline type adi_mtl_##name parameters {                                                 \
        const void *selector = adi_metal_selector(ADI_MTL_##name);                                 \
        return ((type(*) types)adi_metal_method(object, ADI_MTL_##name))arguments;                 \
    }
#define TELL(name, text, parameters, types, arguments)                                             \
    static inline void adi_mtl_##name parameters {                                                 \
        const void *selector = adi_metal_selector(ADI_MTL_##name);                                 \
        ((void(*) types)adi_metal_method(object, ADI_MTL_##name)) arguments;                       \
    }
#include "metal_api.def"
#undef MESSAGE
#undef TELL

#endif /* ADI_METAL_API_H */
