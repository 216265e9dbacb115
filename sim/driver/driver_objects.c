/* SPDX-License-Identifier: Apache-2.0 */
#include "driver_objects.h"

#include <stdio.h>
#include <stdlib.h>

#define BUCKETS  1024 /* a power of two */
#define REMEMBER 1024

static struct driver_object *buckets[BUCKETS];

/* Of each kind those that have ended, the oldest first. */
static struct {
    struct driver_object *at[REMEMBER];
    size_t n;
} past[DRIVER_KINDS];

static const char *const names[] = {
    [DRIVER_MODULE] = "a module", [DRIVER_KERNEL] = "a kernel", [DRIVER_LINK] = "a linker"};

static struct driver_object **bucket_of(const void *handle) {
    return &buckets[(uintptr_t)handle / 16 * 0x9E3779B9U % BUCKETS];
}

void *driver_object_new(enum driver_kind kind, size_t bytes) {
    struct driver_object *made = calloc(1, bytes);
    if (made == NULL) return NULL;
    struct driver_object **bucket = bucket_of(made);
    made->kind = kind;
    made->next = *bucket;
    return *bucket = made;
}

static void report(enum driver_kind kind, const struct driver_object *found) {
    char text[80];
    bool ended = found != NULL && found->kind == kind;
    snprintf(text, sizeof text, ended ? "%s is used after its end" : "it is not %s", names[kind]);
    adi_sim_violate(ended ? "use-after-destroy" : "bad-handle", 0, false, text);
}

void *driver_object_find(enum driver_kind kind, const void *handle) {
    struct driver_object *found = *bucket_of(handle);
    while (found != NULL && found != handle) found = found->next;
    if (found != NULL && found->kind == kind && !found->ended) return found;
    report(kind, found);
    return NULL;
}

static void forget(struct driver_object *object) {
    struct driver_object **link = bucket_of(object);
    while (*link != object) link = &(*link)->next;
    *link = object->next;
    free(object);
}

void driver_object_end(void *ended) {
    struct driver_object *object = ended;
    size_t turn = past[object->kind].n++ % REMEMBER;
    struct driver_object **oldest = &past[object->kind].at[turn];
    if (*oldest != NULL) forget(*oldest);
    object->ended = true;
    *oldest = object;
}
