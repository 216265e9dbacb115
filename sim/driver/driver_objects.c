/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle is an address in a closed range, so that nothing that a program does through one gets at
 * an object: the place of the object in a list, 16 bytes for each.
 */
#include "driver_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MOST     ((size_t)1 << 24)
#define STEP     16
#define REMEMBER 1024

static char *range;
static struct driver_object **objects; /* at their places; what was forgotten is NULL */
static size_t n_objects, capacity;

/* Of each kind those that have ended, and all places that are free, in turn. */
static struct {
    struct driver_object *at[REMEMBER];
    size_t n;
} past[DRIVER_KINDS];
static size_t *free_places, n_free;

static const char *const names[] = {[DRIVER_MODULE] = "a module",
                                    [DRIVER_KERNEL] = "a kernel",
                                    [DRIVER_LINK] = "a linker",
                                    [DRIVER_GRAPH] = "a graph",
                                    [DRIVER_NODE] = "a node of a graph",
                                    [DRIVER_EXEC] = "an instance of a graph",
                                    [DRIVER_USER] = "an object of the program's"};

/* ---- places ---- */

static bool reserve(void) {
    if (range != NULL) return true;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *made = mmap(NULL, MOST * STEP, PROT_NONE, flags, -1, 0);
    if (made == MAP_FAILED) return false;
    range = made;
    return true;
}

/* Room for one more, and for its place once it is free. */
static bool grow(void) {
    if (n_objects < capacity) return true;
    size_t more = capacity == 0 ? 64 : 2 * capacity;
    void *grown = more > MOST ? NULL : realloc(objects, more * sizeof *objects);
    if (grown == NULL) return false;
    objects = grown;
    void *places = realloc(free_places, more * sizeof *free_places);
    if (places == NULL) return false;
    free_places = places;
    capacity = more;
    return true;
}

void *driver_object_new(enum driver_kind kind, size_t bytes) {
    if (!reserve() || (n_free == 0 && !grow())) return NULL;
    struct driver_object *made = calloc(1, bytes);
    if (made == NULL) return NULL;
    size_t place = n_free > 0 ? free_places[--n_free] : n_objects++;
    made->kind = kind;
    made->handle = range + place * STEP;
    objects[place] = made;
    return made;
}

static struct driver_object *object_of(const void *handle) {
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)range;
    bool is_one = range != NULL && offset % STEP == 0 && offset / STEP < n_objects;
    return is_one ? objects[offset / STEP] : NULL;
}

/* ---- what is wrong with one ---- */

static void report(enum driver_kind kind, const struct driver_object *found) {
    char text[80];
    bool ended = found != NULL && found->kind == kind;
    snprintf(text, sizeof text, ended ? "%s is used after its end" : "it is not %s", names[kind]);
    adi_sim_violate(ended ? "use-after-destroy" : "bad-handle", 0, false, text);
}

void *driver_object_find(enum driver_kind kind, const void *handle) {
    struct driver_object *found = object_of(handle);
    if (found != NULL && found->kind == kind && !found->ended) return found;
    report(kind, found);
    return NULL;
}

/* ---- the end ---- */

static void forget(struct driver_object *object) {
    size_t place = (size_t)((char *)object->handle - range) / STEP;
    objects[place] = NULL;
    free_places[n_free++] = place;
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
