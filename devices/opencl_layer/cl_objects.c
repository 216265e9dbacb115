/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_objects.h"

static struct object objects[TRACKED_RECORDS];
static bool knows_shared;

TRACKED_STORE(objects, false)

bool objects_newest(char out[ADI_INTERCEPTOR_HELD]) {
    static const char *const kinds[] = {
        [ADI_OPENCL_UNKNOWN] = "object",       [ADI_OPENCL_CONTEXT] = "context",
        [ADI_OPENCL_QUEUE] = "queue",          [ADI_OPENCL_MEMORY] = "memory object",
        [ADI_OPENCL_EVENT] = "event",          [ADI_OPENCL_KERNEL] = "kernel",
        [ADI_OPENCL_SHARED] = "shared memory",
    };
    return objects_newest_held(kinds, out);
}

struct object *objects_find(const void *handle) {
    return tracked_find((uintptr_t)handle, 0);
}

struct object *objects_add(const void *handle, enum adi_opencl_kind kind, const char *made_by) {
    static unsigned numbers[ADI_OPENCL_SHARED + 1]; /* shared memory counts as memory */
    struct object *object = tracked_add((uintptr_t)handle, kind, made_by);
    if (object == NULL) return NULL;
    object->number = ++numbers[kind == ADI_OPENCL_SHARED ? ADI_OPENCL_MEMORY : kind];
    knows_shared = knows_shared || kind == ADI_OPENCL_SHARED;
    /* The life of kernels is not looked at. */
    if (kind != ADI_OPENCL_KERNEL) tracked_retain(&object->tracked);
    return object;
}

struct object *objects_shared(const void *address) {
    if (!knows_shared) return NULL;
    struct object *object = objects_find(address);
    if (object != NULL && !object->dead) return object->kind == ADI_OPENCL_SHARED ? object : NULL;
    for (size_t i = 0; i < TRACKED_RECORDS; i++) {
        uintptr_t first = objects[i].handle;
        if (objects[i].kind == ADI_OPENCL_SHARED && !objects[i].dead &&
            (uintptr_t)address >= first && (uintptr_t)address - first < objects[i].bytes)
            return &objects[i];
    }
    return NULL;
}

struct object *objects_at(const void *address) {
    struct object *object = objects_find(address);
    struct object *shared = object == NULL || object->dead ? objects_shared(address) : NULL;
    return shared != NULL ? shared : object;
}

bool objects_is_given_up(const void *handle) {
    const struct object *object = objects_find(handle);
    if (object == NULL || object->kind != ADI_OPENCL_MEMORY || object->dead) return false;
    if (object->party == 1 && object->of != NULL) object = objects_find(object->of);
    return object != NULL && object->kind == ADI_OPENCL_MEMORY && object->party == 0 &&
           object->references[0] == 0;
}
