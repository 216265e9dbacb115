/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_pause.h"

#include "cl_accesses.h"
#include "cl_order.h"
#include "cl_trace.h"

#define BARRIERS 64 /* half of them for the first one of a queue */
#define SILENCE  4  /* slices of the watchdog's: a tenth of a second, or more */

const cl_icd_dispatch *next_layer;

/* A user event that stops a queue. */
struct barrier {
    cl_event event;
    int at; /* its number among the commands (cl_order.h); -1: not known */
};

static struct {
    bool opened; /* the queues go on, and nobody has seen the end of anything yet */
    int silence; /* slices of time until somebody who waits for a callback gets it */
    bool parted; /* the harness has waited for one event, and only that has run */
    struct barrier barriers[BARRIERS];
    int n_barriers;
} stopping;

bool pause_keeps(const struct object *object) {
    return object != NULL && is_paused(object->pending) && !order_has_ended(object, paused.number);
}

static bool is_used(const struct object *object) {
    return object != NULL && is_paused(object->used) && !stopping.parted;
}

static bool covers(const struct object *event, const struct object *buffer) {
    return event == NULL || buffer == NULL || !paused.active ||
           order_covers(event, buffer, paused.number);
}

static bool covers_in(const struct object *event, const struct access_query asked) {
    return event == NULL || !paused.active || accesses_are_covered(&asked, event, paused.number);
}

/* clang-format off */
#define ASKED (&(const struct access_query){buffer, offset, bytes})
UNDER_LOCK(bool, object_is_pending, (const void *object), pause_keeps(objects_at(object)))
UNDER_LOCK(bool, buffer_is_used, (const void *buffer), is_used(objects_at(buffer)))
UNDER_LOCK(bool, event_covers, (const void *event, const void *buffer),
           covers(objects_find(event), objects_at(buffer)))
UNDER_LOCK(bool, bytes_are_pending, (const void *buffer, int64_t offset, int64_t bytes),
           paused.active && accesses_are_pending(ASKED, paused.number))
UNDER_LOCK(bool, event_covers_bytes,
           (const void *event, const void *buffer, int64_t offset, int64_t bytes),
           covers_in(objects_find(event), *ASKED))
UNDER_LOCK(bool, bytes_are_used, (const void *buffer, int64_t offset, int64_t bytes),
           paused.active && !stopping.parted && accesses_are_used(ASKED, paused.number))
UNDER_LOCK(bool, buffer_is_given_up, (const void *buffer), objects_is_given_up(buffer))
UNDER_LOCK(bool, queues_are_stopped, (void), paused.active && stopping.n_barriers > 0)
/* clang-format on */

/* ---- ending ---- */

static void end_barrier(const struct barrier *barrier) {
    next_layer->clSetUserEventStatus(barrier->event, CL_COMPLETE);
    next_layer->clReleaseEvent(barrier->event);
}

/* Takes out the barriers that stand before this event; NULL: all. Under the lock. */
static int take_barriers(const struct object *event, struct barrier out[BARRIERS]) {
    int n = 0, left = 0;
    for (int i = 0; i < stopping.n_barriers; i++)
        if (event == NULL || order_needs(event, stopping.barriers[i].at))
            out[n++] = stopping.barriers[i];
        else
            stopping.barriers[left++] = stopping.barriers[i];
    stopping.n_barriers = left;
    return n;
}

/* Lets the queues go on; `ends`: and nothing is pending any more. */
static void resume(uint64_t number, bool ends, bool expires) {
    struct barrier barriers[BARRIERS];
    objects_lock();
    bool now = is_paused(number);
    int n = now ? take_barriers(NULL, barriers) : 0;
    if (now) stopping.opened = true;
    if (now && ends) pause_end(number, expires);
    objects_unlock();
    for (int i = 0; i < n; i++) end_barrier(&barriers[i]);
}

/* Somebody waits for the event, or has seen its end. Where the harness does, what an implementation
 * has queued behind it stays where it is. */
static void resume_before(const void *handle, bool ends) {
    struct barrier barriers[BARRIERS];
    objects_lock();
    const struct object *event = objects_find(handle);
    uint64_t number = paused.number;
    bool part = event != NULL && paused.active && !stopping.opened && paused.party == 1 &&
                adi_caller_party() == 0 && order_knows(event, number);
    int n = part ? take_barriers(event, barriers) : 0;
    if (part) stopping.parted = true;
    if (part && ends) order_ended(event);
    objects_unlock();
    for (int i = 0; i < n; i++) end_barrier(&barriers[i]);
    if (!part) resume(number, ends, false);
}

void queues_resume(void) {
    resume(paused.number, true, false);
}

static void slice(uint64_t number) {
    objects_lock();
    bool waits = is_paused(number) && stopping.silence > 0 && --stopping.silence == 0;
    objects_unlock();
    if (waits) resume(number, false, false);
}

static void expire(uint64_t number) {
    resume(number, true, true);
}

/* ---- beginning ---- */

void queues_pause(bool implementation) {
    static const struct pause_watch watch = {slice, expire};
    queues_resume();
    objects_lock();
    stopping.opened = stopping.parted = false;
    stopping.silence = stopping.n_barriers = 0;
    objects_unlock();
    pause_begin(implementation, &watch);
}

/* Has it to be stopped: before its first command, or since what comes now is behind an event? What
 * a queue without an order is stopped behind would have to be known: it is stopped only once. */
static bool is_to_stop(const struct object *queue) {
    if (queue == NULL || !paused.active || stopping.opened || paused.party != adi_caller_party())
        return false;
    if (queue->stopped_in != paused.number) return stopping.n_barriers < BARRIERS;
    return paused.party == 1 && queue->in_order && queue->gave_event &&
           stopping.n_barriers < BARRIERS / 2;
}

/* What comes too late is opened again. */
void queue_stop(cl_command_queue queue) {
    objects_lock();
    struct object *object = objects_find(queue);
    const void *context = is_to_stop(object) ? object->of : NULL;
    uint64_t number = paused.number;
    objects_unlock();
    if (context == NULL) return;
    struct barrier barrier = {next_layer->clCreateUserEvent((cl_context)(uintptr_t)context, NULL),
                              -1};
    if (barrier.event == NULL) return;
    bool stands =
        next_layer->clEnqueueBarrierWithWaitList(queue, 1, &barrier.event, NULL) == CL_SUCCESS;
    objects_lock();
    object = objects_find(queue);
    bool in_time = stands && is_paused(number) && is_to_stop(object);
    if (in_time) {
        object->stopped_in = number;
        object->gave_event = false;
        barrier.at = order_barrier(object, number);
        stopping.barriers[stopping.n_barriers++] = barrier;
    }
    objects_unlock();
    if (!in_time) end_barrier(&barrier);
}

/* ---- blocking ---- */

void caller_blocks(const void *object, bool waits) {
    objects_lock();
    const struct object *found = objects_find(object);
    if (waits) trace_wait(found);
    bool stopped_in = found != NULL && (pause_keeps(found) || is_paused(found->stopped_in) ||
                                        is_paused(found->ordered) || is_paused(found->stalled));
    objects_unlock();
    if (stopped_in) queues_resume();
}

void caller_polls(cl_event event) {
    objects_lock();
    bool loop = pause_keeps(objects_find(event)) && ++paused.asked > 1;
    objects_unlock();
    if (loop) resume_before(event, false);
}

void caller_sees_end(cl_event event) {
    objects_lock();
    bool pending = pause_keeps(objects_find(event));
    objects_unlock();
    if (pending) resume_before(event, true);
}

bool caller_awaits_callback(cl_event event) {
    objects_lock();
    bool pending = pause_keeps(objects_find(event));
    bool waits = pending && adi_caller_party() == 0;
    if (pending && !waits) stopping.silence = SILENCE;
    objects_unlock();
    if (waits) resume_before(event, false);
    return pending;
}
