/* SPDX-License-Identifier: Apache-2.0
 *
 * A handle is an address in a closed range, so that nothing that a program does through one gets at
 * an object: the place of the object in a list, 16 bytes for each.
 */
#include "driver_objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define MOST     ((size_t)1 << 24)
#define STEP     16
#define REMEMBER 1024
#define FIRST    ((size_t)1 << 16) /* bytes: whole pages, of any machine's */

_Static_assert(sizeof(struct driver_object *) == sizeof(size_t), "both lists grow alike");

static char *range;
/* Both in pages of their own: an object is on the heap as long as it lives, so that it counts where
 * the heap is weighed, and what is remembered of it is not. */
static struct driver_object **objects; /* at their places; what was forgotten is NULL */
static size_t *free_places, n_free;
static size_t n_objects, capacity;

/* Of each kind what stands for those that have ended, and their places, in turn. */
static struct past {
    struct driver_object ended;
    size_t places[REMEMBER], n;
} past[DRIVER_KINDS];

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

static void *pages(void *old, size_t bytes, size_t more) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    void *made = old == NULL ? mmap(NULL, more, PROT_READ | PROT_WRITE, flags, -1, 0)
                             : mremap(old, bytes, more, MREMAP_MAYMOVE);
    return made == MAP_FAILED ? NULL : made;
}

/* A leak sanitizer, where the program has one, does not look into pages of one's own by itself:
 * what is in the list is not lost. */
void __lsan_register_root_region(const void *start, size_t bytes) __attribute__((weak));
void __lsan_unregister_root_region(const void *start, size_t bytes) __attribute__((weak));

/* Room for one more, and for its place once it is free. */
static bool grow(void) {
    if (n_objects < capacity) return true;
    size_t bytes = capacity * sizeof *objects, more = bytes == 0 ? FIRST : 2 * bytes;
    if (bytes > 0 && __lsan_unregister_root_region != NULL)
        __lsan_unregister_root_region(objects, bytes);
    void *grown = more / sizeof *objects > MOST ? NULL : pages(objects, bytes, more);
    if (grown != NULL) objects = grown;
    if (objects != NULL && __lsan_register_root_region != NULL)
        __lsan_register_root_region(objects, grown != NULL ? more : bytes);
    if (grown == NULL) return false;
    void *places = pages(free_places, bytes, more);
    if (places == NULL) return false;
    free_places = places;
    capacity = more / sizeof *objects;
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
    driver_object_hand_out(made);
    return made;
}

void driver_object_hand_out(void *object) {
    struct driver_object *made = object;
    made->kept = made->kind == DRIVER_KERNEL || made->kind == DRIVER_NODE;
    made->party = adi_sim_party(ADI_SIM_PARTIES);
    adi_sim_site(&made->made_by, &made->made_in);
}

static struct driver_object *object_of(const void *handle) {
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)range;
    bool is_one = range != NULL && offset % STEP == 0 && offset / STEP < n_objects;
    return is_one ? objects[offset / STEP] : NULL;
}

/* ---- what is wrong with one ---- */

static void report(enum driver_kind kind, const char *violation, const char *before,
                   const char *after) {
    char text[80];
    snprintf(text, sizeof text, "%s%s%s", before, names[kind], after);
    adi_sim_violate(violation, 0, false, text);
}

static void *find(enum driver_kind kind, const void *handle, bool ends) {
    struct driver_object *found = object_of(handle);
    if (found == NULL || found->kind != kind)
        report(kind, "bad-handle", "it is not ", "");
    else if (!found->ended)
        return found;
    else if (ends)
        report(kind, "double-destroy", "", " is destroyed a second time");
    else
        report(kind, "use-after-destroy", "", " is used after its end");
    return NULL;
}

void *driver_object_find(enum driver_kind kind, const void *handle) {
    return find(kind, handle, false);
}

void *driver_object_find_to_end(enum driver_kind kind, const void *handle) {
    return find(kind, handle, true);
}

/* ---- the end ---- */

void driver_object_retire(void *retired) {
    struct driver_object *object = retired;
    struct past *kind = &past[object->kind];
    size_t *place = &kind->places[kind->n % REMEMBER];
    if (kind->n++ >= REMEMBER) {
        objects[*place] = NULL;
        free_places[n_free++] = *place;
    }
    *place = (size_t)((char *)object->handle - range) / STEP;
    kind->ended = (struct driver_object){.kind = object->kind, .ended = true};
    objects[*place] = &kind->ended;
    object->ended = true;
}

void driver_object_end(void *object) {
    driver_object_retire(object);
    free(object);
}

/* ---- the end of the program ---- */

static bool is_left(const struct driver_object *object) {
    if (object == NULL || object->ended || object->kept) return false;
    return object->context == NULL || adi_sim_is_live(object->context, NULL);
}

static void report_left(const struct driver_object *object) {
    char text[160];
    snprintf(text, sizeof text, "%s (made by %s in call %" PRIu64 ") was never destroyed",
             names[object->kind], object->made_by, object->made_in);
    adi_sim_violate("leak", object->party, false, text);
}

__attribute__((destructor)) static void report_all_left(void) {
    if (n_objects == 0 || !adi_sim_reports_leaks() || adi_sim_begin_alone("exit", true) != 0)
        return;
    for (size_t i = 0; i < n_objects; i++)
        if (is_left(objects[i])) report_left(objects[i]);
    adi_sim_end();
}
