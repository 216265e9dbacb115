/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "webgpu.h"

/* What waits for the end of a thread's call. */
struct later {
    struct later *next;
    struct webgpu_news news;
};

/* A handle without a reference, which ends before what it stood for; or an event. */
struct gone {
    struct gone *next;
    adi_sim_reference handle;
    adi_sim_event event;
    unsigned maker;
};

static _Thread_local struct {
    const char *name;
    unsigned depth;
    struct later *first, *last;
    struct webgpu_object *ended; /* by `next` */
    struct gone *gone;
} call;

#define BUCKETS 4096

void (*webgpu_tell)(const struct webgpu_news *news);

static struct webgpu_object *buffers[BUCKETS]; /* by handle; a call is alone with them */

/* Handles are the engine's, which nobody who looks for lost memory looks through. */
static struct webgpu_object *newest;

static struct webgpu_object **bucket_of(const void *handle) {
    uintptr_t at = (uintptr_t)handle / ADI_SIM_ALIGNMENT;
    return &buffers[(at ^ at / BUCKETS) % BUCKETS];
}

unsigned webgpu_party(void) {
    return adi_sim_party(ADI_SIM_PARTIES);
}

/* ---- calls ---- */

bool webgpu_begin(const char *name, bool surely) {
    if (adi_sim_begin_alone(name, surely) != 0) return false;
    if (call.depth++ == 0) call.name = name;
    return true;
}

void webgpu_later(const struct webgpu_news *news) {
    if (news->to.function == NULL) return;
    struct later *later = malloc(sizeof *later);
    if (later == NULL) return;
    *later = (struct later){NULL, *news};
    if (call.last == NULL)
        call.first = later;
    else
        call.last->next = later;
    call.last = later;
}

static void end_object(struct webgpu_object *object) {
    struct webgpu_object *parent = object->parent;
    if (object->class->end != NULL) object->class->end(object);
    webgpu_object_free(object);
    if (parent != NULL) webgpu_let(parent);
}

static void end_handles(const char *name) {
    struct gone *gone;
    while ((gone = call.gone) != NULL) {
        call.gone = gone->next;
        unsigned before = adi_sim_party(gone->maker);
        if (adi_sim_begin_surely(name) == 0) {
            if (gone->event != NULL) adi_sim_event_destroy(gone->event);
            if (gone->handle != NULL) adi_sim_reference_destroy(gone->handle);
            adi_sim_end();
        }
        adi_sim_party(before);
        free(gone);
    }
}

static void end_objects(const char *name) {
    struct webgpu_object *object;
    end_handles(name);
    while ((object = call.ended) != NULL) {
        call.ended = object->next;
        unsigned before = adi_sim_party(object->maker);
        if (adi_sim_begin_alone(name, true) == 0) {
            end_object(object);
            adi_sim_end();
        }
        adi_sim_party(before);
    }
}

static void tell_all(void) {
    struct later *later;
    while ((later = call.first) != NULL) {
        call.first = later->next;
        if (call.first == NULL) call.last = NULL;
        unsigned before = adi_sim_party(later->news.party);
        webgpu_tell(&later->news);
        adi_sim_party(before);
        free(later);
    }
}

void webgpu_end(void) {
    const char *name = call.name;
    adi_sim_end();
    if (--call.depth > 0) return;
    end_objects(name);
    tell_all();
}

/* ---- making and finding ---- */

void webgpu_object_free(struct webgpu_object *object) {
    if (object->older != NULL) object->older->newer = object->newer;
    if (object->newer != NULL)
        object->newer->older = object->older;
    else
        newest = object->older;
    free(object);
}

struct webgpu_object *webgpu_object_new(const struct webgpu_class *class,
                                        struct webgpu_object *parent, void *handle) {
    struct webgpu_object *object = calloc(1, sizeof *object);
    adi_sim_reference made = NULL;
    if (object == NULL) return NULL;
    if (class->kind != WEBGPU_BUFFER) {
        if (adi_sim_reference_create((uint64_t)(uintptr_t)object, &made) != 0) {
            free(object);
            return NULL;
        }
        handle = made;
    }
    *object = (struct webgpu_object){
        .class = class, .handle = handle, .maker = webgpu_party(), .parent = parent};
    object->refs[object->maker] = 1;
    object->older = newest;
    if (newest != NULL) newest->newer = object;
    newest = object;
    if (parent != NULL) webgpu_hold(parent);
    if (class->kind == WEBGPU_BUFFER) {
        struct webgpu_object **bucket = bucket_of(handle);
        object->next = *bucket;
        *bucket = object;
    }
    return object;
}

static struct webgpu_object *look(const void *handle) {
    struct webgpu_object *object = *bucket_of(handle);
    while (object != NULL && object->handle != handle) object = object->next;
    return object;
}

bool webgpu_ask(const void *handle, void **device, int *adapter, uint64_t *bytes, bool *given_up) {
    if (!webgpu_begin("adi_webgpu_look", true)) return false;
    const struct webgpu_object *found = look(handle);
    bool is_live = found != NULL && found->refs[0] + found->refs[1] > 0 &&
                   !found->buffer.is_destroyed && !found->buffer.is_invalid;
    if (is_live && device != NULL) *device = found->parent->handle;
    if (is_live && adapter != NULL) *adapter = found->parent->device.index;
    if (is_live && bytes != NULL) *bytes = found->buffer.size;
    if (is_live && given_up != NULL) *given_up = found->refs[found->maker] == 0;
    webgpu_end();
    return is_live;
}

static struct webgpu_object *find_buffer(const void *handle) {
    struct webgpu_object *object = look(handle);
    unsigned party = webgpu_party();
    bool gone = object != NULL && object->refs[object->maker] == 0 &&
                (object->maker != party || object->refs[0] + object->refs[1] == 0);
    return adi_sim_whole(handle, gone) == 0 ? object : NULL;
}

struct webgpu_object *webgpu_find(enum webgpu_kind kind, const void *handle) {
    uint64_t label = 0;
    if (kind == WEBGPU_BUFFER) return find_buffer(handle);
    adi_sim_reference there = (adi_sim_reference)(uintptr_t)handle;
    if (adi_sim_reference_label(there, &label) != 0) return NULL;
    struct webgpu_object *object = (struct webgpu_object *)(uintptr_t)label;
    return object->class->kind == kind ? object : NULL;
}

/* ---- references ---- */

void webgpu_hold(struct webgpu_object *object) {
    object->held++;
}

static void end_if_over(struct webgpu_object *object) {
    if (object->held > 0 || object->refs[0] + object->refs[1] > 0) return;
    if (object->class->kind == WEBGPU_QUEUE) return; /* it ends with its device */
    if (object->class->kind == WEBGPU_BUFFER) {
        struct webgpu_object **link = bucket_of(object->handle);
        while (*link != object) link = &(*link)->next;
        *link = object->next;
    }
    object->next = call.ended;
    call.ended = object;
}

void webgpu_let(struct webgpu_object *object) {
    object->held--;
    end_if_over(object);
}

/* Whoever has not made it is seen to hold it by an object of his own. */
void webgpu_take_ref(struct webgpu_object *object) {
    unsigned party = webgpu_party();
    if (object->refs[party]++ == 0 &&
        (party != object->maker || object->class->kind == WEBGPU_QUEUE))
        adi_sim_reference_create(0, &object->counted[party]);
}

void webgpu_add_ref(const char *name, enum webgpu_kind kind, void *handle) {
    if (!webgpu_begin(name, true)) return;
    struct webgpu_object *object = webgpu_find(kind, handle);
    if (object != NULL) webgpu_take_ref(object);
    webgpu_end();
}

/* What the handle stands for, of which the caller is about to give up a reference. */
static struct webgpu_object *find_released(enum webgpu_kind kind, void *handle) {
    uint64_t label;
    struct webgpu_object *buffer = kind == WEBGPU_BUFFER ? look(handle) : NULL;
    if (kind != WEBGPU_BUFFER) {
        if (adi_sim_is_live(handle, &label)) return webgpu_find(kind, handle);
        adi_sim_reference_destroy(handle); /* says what is wrong */
        return NULL;
    }
    if (buffer != NULL && buffer->refs[0] + buffer->refs[1] > 0) return buffer;
    if (buffer != NULL)
        adi_sim_whole(handle, true);
    else if (handle == NULL)
        adi_sim_whole(NULL, false);
    else
        adi_sim_free(handle); /* says it, too */
    return NULL;
}

/* It is another's, and the engine says so. */
static void give_up_foreign(struct webgpu_object *object) {
    if (object->class->kind == WEBGPU_BUFFER)
        adi_sim_free_on(object->parent->device.queue, object->handle);
    else if (object->class->kind != WEBGPU_QUEUE)
        adi_sim_reference_destroy(object->handle);
}

/* By its maker, whoever had the last reference. */
static void end_later(adi_sim_reference handle, adi_sim_event event, unsigned maker) {
    struct gone *gone = malloc(sizeof *gone);
    if (gone == NULL) return;
    *gone = (struct gone){call.gone, handle, event, maker};
    call.gone = gone;
}

void webgpu_end_event(adi_sim_event event, unsigned maker) {
    end_later(NULL, event, maker);
}

static void give_up(struct webgpu_object *object) {
    unsigned party = webgpu_party();
    if (object->refs[party] == 0 && party == 0) {
        give_up_foreign(object);
        return;
    }
    if (object->refs[party] == 0) party = 0;
    if (object->refs[party] == 0) return;
    if (--object->refs[party] == 0 && object->counted[party] != NULL) {
        adi_sim_reference_destroy(object->counted[party]);
        object->counted[party] = NULL;
    }
    if (object->refs[0] + object->refs[1] > 0) return;
    if (object->class->given_up != NULL) object->class->given_up(object);
    if (object->class->kind != WEBGPU_BUFFER && object->class->kind != WEBGPU_QUEUE)
        end_later(object->handle, NULL, object->maker);
    end_if_over(object);
}

void webgpu_release(const char *name, enum webgpu_kind kind, void *handle) {
    if (!webgpu_begin(name, true)) return;
    struct webgpu_object *object = find_released(kind, handle);
    if (object != NULL) give_up(object);
    webgpu_end();
}
