/* SPDX-License-Identifier: Apache-2.0
 *
 * The records lie in one static array: the layer must not show in what the process has allocated.
 */
#include "objects.h"

#include <pthread.h>
#include <string.h>

#define OBJECTS 32768 /* a power of two */

static struct object objects[OBJECTS];
static size_t used, references_held, n_shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void objects_lock(void) {
    pthread_mutex_lock(&lock);
}

void objects_unlock(void) {
    pthread_mutex_unlock(&lock);
}

static size_t slot_of(const void *handle) {
    return (size_t)(((uintptr_t)handle >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 32) % OBJECTS;
}

/* Its record, or the free one where it would be. Half of the records are always free. */
static struct object *record_of(const void *handle) {
    size_t slot = slot_of(handle);
    while (objects[slot].handle != NULL && objects[slot].handle != handle)
        slot = (slot + 1) % OBJECTS;
    return &objects[slot];
}

struct object *objects_find(const void *handle) {
    if (handle == NULL) return NULL;
    struct object *object = record_of(handle);
    return object->handle == NULL ? NULL : object;
}

/* An address that was given back may never come again: what is dead goes when the room does. */
static void forget_the_dead(void) {
    static struct object kept[OBJECTS / 2];
    size_t n = 0;
    n_shared = 0;
    for (size_t i = 0; i < OBJECTS; i++)
        if (objects[i].handle != NULL && !objects[i].dead) kept[n++] = objects[i];
    memset(objects, 0, sizeof objects);
    for (used = 0; used < n; used++) {
        *record_of(kept[used].handle) = kept[used];
        n_shared += kept[used].kind == ADI_OPENCL_SHARED;
    }
}

struct object *objects_add(const void *handle, enum adi_opencl_kind kind, const char *made_by) {
    static uint64_t serial;
    if (handle == NULL) return NULL;
    if (used == OBJECTS / 2) forget_the_dead();
    struct object *object = record_of(handle);
    if (object->handle == NULL && used == OBJECTS / 2) return NULL;
    used += object->handle == NULL;
    references_held -= object->references[1];
    n_shared += kind == ADI_OPENCL_SHARED;
    static unsigned numbers[ADI_OPENCL_SHARED + 1]; /* shared memory counts as memory */
    unsigned *number = &numbers[kind == ADI_OPENCL_SHARED ? ADI_OPENCL_MEMORY : kind];
    serial++;
    *object = (struct object){.handle = handle,
                              .kind = kind,
                              .made_by = made_by,
                              .by_harness = adi_caller_party() == 0,
                              .number = ++*number,
                              .serial = serial};
    /* The life of kernels is not looked at. */
    if (kind != ADI_OPENCL_KERNEL) objects_retain(object);
    return object;
}

void objects_retain(struct object *object) {
    object->references[adi_caller_party()]++;
    references_held += (size_t)adi_caller_party();
}

bool objects_release(struct object *object) {
    int party = adi_caller_party();
    if (object->dead || object->references[party] == 0) return false;
    object->references[party]--;
    references_held -= (size_t)party;
    object->dead = object->references[0] + object->references[1] == 0;
    return true;
}

struct object *objects_shared(const void *address) {
    if (n_shared == 0) return NULL;
    struct object *object = objects_find(address);
    if (object != NULL && !object->dead) return object->kind == ADI_OPENCL_SHARED ? object : NULL;
    for (size_t i = 0; i < OBJECTS; i++) {
        uintptr_t first = (uintptr_t)objects[i].handle;
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
    if (!object->by_harness && object->of != NULL) object = objects_find(object->of);
    return object != NULL && object->kind == ADI_OPENCL_MEMORY && object->by_harness &&
           object->references[0] == 0;
}

size_t objects_held(void) {
    objects_lock();
    size_t held = references_held;
    objects_unlock();
    return held;
}
