/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "metal.h"

#define BYTES       ((size_t)256)     /* of an object */
#define OBJECTS     ((size_t)1 << 18) /* that there can be at once */
#define QUARANTINED 65536             /* ends that come before a piece is used again */

_Static_assert(sizeof(struct metal_object) <= BYTES, "an object fits into its piece");

static const char *const kind_names[METAL_KINDS] = {
    [METAL_DEVICE] = "MTLDevice",
    [METAL_QUEUE] = "MTLCommandQueue",
    [METAL_COMMANDS] = "MTLCommandBuffer",
    [METAL_ENCODER] = "MTLBlitCommandEncoder",
    [METAL_BUFFER] = "MTLBuffer",
    [METAL_EVENT] = "MTLEvent",
    [METAL_SHARED_EVENT] = "MTLSharedEvent",
    [METAL_LIST] = "NSArray",
    [METAL_TEXT] = "NSString",
    [METAL_ERROR] = "NSError",
};

static struct {
    Class of, of_dead;
    void (*end)(struct metal_object *object);
} kinds[METAL_KINDS];

static char *arena;
static size_t n_pieces;                        /* that have been used */
static struct metal_object *oldest, *youngest; /* of those that have ended, by `next` */
static size_t n_ended;
static struct metal_object *live[METAL_KINDS];
static size_t references[ADI_SIM_PARTIES];
static uint64_t serial, numbers[METAL_KINDS];

/* ---- the lock ---- */

/* Who is told of a violation may ask about an object. */
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

void metal_lock(void) {
    pthread_mutex_lock(&mutex);
}

void metal_unlock(void) {
    pthread_mutex_unlock(&mutex);
}

void metal_changed(void) {
    pthread_cond_broadcast(&change);
}

void metal_wait_for_change(uint64_t ms) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += (time_t)(ms / 1000);
    end.tv_nsec += (long)(ms % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&change, &mutex, &end);
}

unsigned metal_party(void) {
    return adi_sim_party(ADI_SIM_PARTIES); /* which there is not: nothing changes */
}

/* ---- what is wrong ---- */

const char *metal_text_of(const struct metal_object *object, char out[48]) {
    snprintf(out, 48, "%s %" PRIu64, kind_names[object->kind], object->number);
    return out;
}

static bool is_of(const struct metal_object *object, enum metal_kind kind) {
    return object->kind == kind || (kind == METAL_EVENT && object->kind == METAL_SHARED_EVENT);
}

void metal_violate(const char *violation, const struct metal_object *about, const char *format,
                   ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bool is_event = about != NULL && is_of(about, METAL_EVENT);
    adi_sim_violate(violation, about == NULL ? metal_party() : about->maker, is_event, text);
}

bool metal_check(struct metal_object *value, enum metal_kind kind) {
    struct metal_object *object = metal_at(value);
    const char *wanted = kind_names[kind];
    char name[48];
    if (object == NULL) {
        metal_violate("bad-handle", NULL, "%s was given for an %s",
                      value == NULL ? "nil" : "what is no object", wanted);
        return false;
    }
    metal_text_of(object, name);
    if (!is_of(object, kind)) {
        metal_violate("bad-handle", object, "%s was given for an %s", name, wanted);
        return false;
    }
    bool buffer = kind == METAL_BUFFER;
    if (object->dead) {
        metal_violate(buffer ? "use-after-free" : "use-after-destroy", object,
                      "%s has ended, and is used", name);
        return false;
    }
    if (buffer && metal_party() != object->maker && object->held[object->maker] == 0)
        metal_violate("use-after-free", object, "%s is used, which its maker has given up", name);
    return true;
}

/* ---- objects ---- */

struct metal_object *metal_at(const void *value) {
    uintptr_t at = (uintptr_t)value - (uintptr_t)arena;
    if (arena == NULL || value == NULL || at >= n_pieces * BYTES || at % BYTES != 0) return NULL;
    return (struct metal_object *)(void *)(arena + at);
}

static struct metal_object *take_piece(void) {
    struct metal_object *piece = oldest;
    if (arena == NULL) arena = calloc(OBJECTS, BYTES);
    if (arena == NULL) return NULL;
    if (n_ended > QUARANTINED || (n_ended > 0 && n_pieces == OBJECTS)) {
        oldest = piece->next;
        n_ended--;
        return piece;
    }
    if (n_pieces == OBJECTS) return NULL;
    return (struct metal_object *)(void *)(arena + n_pieces++ * BYTES);
}

struct metal_object *metal_make(enum metal_kind kind, struct metal_object *device) {
    struct metal_object *made = take_piece();
    if (made == NULL) return NULL;
    memset(made, 0, sizeof *made);
    made->isa = kinds[kind].of;
    made->kind = kind;
    made->maker = metal_party();
    made->held[made->maker] = 1;
    references[made->maker]++;
    made->serial = ++serial;
    made->number = ++numbers[kind];
    made->device = device;
    made->next = live[kind];
    if (made->next != NULL) made->next->before = made;
    live[kind] = made;
    return made;
}

void metal_retire(struct metal_object *object) {
    object->stays = false;
    object->next = NULL;
    if (n_ended++ == 0)
        oldest = object;
    else
        youngest->next = object;
    youngest = object;
}

static void end(struct metal_object *object) {
    object->dead = true;
    if (object->before == NULL)
        live[object->kind] = object->next;
    else
        object->before->next = object->next;
    if (object->next != NULL) object->next->before = object->before;
    object->next = NULL;
    object->isa = kinds[object->kind].of_dead;
    if (kinds[object->kind].end != NULL) kinds[object->kind].end(object);
    if (!object->stays) metal_retire(object);
}

static void end_if_unheld(struct metal_object *object) {
    bool held = object->held[0] + object->held[1] + object->used > 0;
    if (!held && !object->lasts) end(object);
}
void metal_use(struct metal_object *object) {
    object->used++;
}

void metal_unuse(struct metal_object *object) {
    object->used--;
    end_if_unheld(object);
}

void metal_hold(struct metal_object *object) {
    unsigned party = metal_party();
    object->held[party]++;
    references[party]++;
}

void metal_drop(struct metal_object *object, unsigned party) {
    char name[48];
    if (object->held[party] == 0) {
        struct metal_object holder = *object;
        bool others = object->held[1 - party] > 0;
        if (others) holder.maker = 1 - party;
        metal_violate(others ? "not-owned" : "double-destroy", &holder,
                      others ? "%s is released by another than who holds it"
                             : "%s is released more often than it was retained",
                      metal_text_of(object, name));
        return;
    }
    object->held[party]--;
    references[party]--;
    end_if_unheld(object);
}

struct metal_object *metal_newest(enum metal_kind kind) {
    return live[kind];
}

void metal_set_kind(enum metal_kind kind, Class of, Class of_dead,
                    void (*end_of)(struct metal_object *object)) {
    kinds[kind].of = of;
    kinds[kind].of_dead = of_dead;
    kinds[kind].end = end_of;
}

void metal_become(struct metal_object *object, enum metal_kind kind) {
    object->isa = kinds[kind].of;
}

size_t metal_references(unsigned party) {
    return references[party];
}

struct metal_object *metal_around(const void *value) {
    struct adi_sim_found found;
    struct metal_object *object = metal_at(value);
    if (object != NULL || adi_sim_find(value, &found) != 0 || found.memory == ADI_SIM_DEVICE)
        return object;
    for (object = live[METAL_BUFFER]; object != NULL; object = object->next)
        if (object->as_buffer.memory == found.start) return object;
    return NULL;
}
