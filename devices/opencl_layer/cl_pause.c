/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_pause.h"

#include "cl_accesses.h"
#include "cl_order.h"
#include "cl_trace.h"

#define GATES   64 /* half of them for the first one of a queue */
#define SILENCE 4  /* slices of the watchdog's: a tenth of a second, or more */

const cl_icd_dispatch *next_layer;

/* A user event that stops a queue. */
struct gate {
    cl_event event;
    int at; /* its number among the commands (cl_order.h); -1: not known */
};

static struct {
    bool opened; /* the queues go on, and nobody has seen the end of anything yet */
    int silence; /* slices of time until somebody who waits for a callback gets it */
    bool parted; /* the harness has waited for one event, and only that has run */
    struct gate gates[GATES];
    int n_gates;
} hold;

bool hold_keeps(const struct object *object) {
    return object != NULL && is_paused(object->pending) && !order_has_ended(object, paused.number);
}

static bool is_used(const struct object *object) {
    return object != NULL && is_paused(object->used) && !hold.parted;
}

static bool covers(const struct object *event, const struct object *buffer) {
    return event == NULL || buffer == NULL || !paused.active ||
           order_covers(event, buffer, paused.number);
}

static bool covers_in(const struct object *event, const struct piece_asked asked) {
    return event == NULL || !paused.active || pieces_are_covered(&asked, event, paused.number);
}

/* clang-format off */
#define ASKED (&(const struct piece_asked){buffer, offset, bytes})
UNDER_LOCK(bool, hold_is_pending, (const void *object), hold_keeps(objects_at(object)))
UNDER_LOCK(bool, hold_is_used, (const void *buffer), is_used(objects_at(buffer)))
UNDER_LOCK(bool, hold_covers, (const void *event, const void *buffer),
           covers(objects_find(event), objects_at(buffer)))
UNDER_LOCK(bool, hold_is_pending_in, (const void *buffer, int64_t offset, int64_t bytes),
           paused.active && pieces_are_pending(ASKED, paused.number))
UNDER_LOCK(bool, hold_covers_in,
           (const void *event, const void *buffer, int64_t offset, int64_t bytes),
           covers_in(objects_find(event), *ASKED))
UNDER_LOCK(bool, hold_is_used_in, (const void *buffer, int64_t offset, int64_t bytes),
           paused.active && !hold.parted && pieces_are_used(ASKED, paused.number))
UNDER_LOCK(bool, hold_is_given_up, (const void *buffer), objects_is_given_up(buffer))
UNDER_LOCK(bool, hold_stops, (void), paused.active && hold.n_gates > 0)
/* clang-format on */

/* ---- ending ---- */

static void open_gate(const struct gate *gate) {
    next_layer->clSetUserEventStatus(gate->event, CL_COMPLETE);
    next_layer->clReleaseEvent(gate->event);
}

/* Takes out the gates that stand before this event; NULL: all. Under the lock. */
static int take_gates(const struct object *event, struct gate out[GATES]) {
    int n = 0, left = 0;
    for (int i = 0; i < hold.n_gates; i++)
        if (event == NULL || order_needs(event, hold.gates[i].at))
            out[n++] = hold.gates[i];
        else
            hold.gates[left++] = hold.gates[i];
    hold.n_gates = left;
    return n;
}

/* Lets the queues go on; `ends`: and nothing is pending any more. */
static void let_go(uint64_t number, bool ends, bool expires) {
    struct gate gates[GATES];
    objects_lock();
    bool now = is_paused(number);
    int n = now ? take_gates(NULL, gates) : 0;
    if (now) hold.opened = true;
    if (now && ends) pause_end(number, expires);
    objects_unlock();
    for (int i = 0; i < n; i++) open_gate(&gates[i]);
}

/* Somebody waits for the event, or has seen its end. Where the harness does, what an implementation
 * has queued behind it stays where it is. */
static void let_go_before(const void *handle, bool ends) {
    struct gate gates[GATES];
    objects_lock();
    const struct object *event = objects_find(handle);
    uint64_t number = paused.number;
    bool part = event != NULL && paused.active && !hold.opened && paused.party == 1 &&
                adi_caller_party() == 0 && order_knows(event, number);
    int n = part ? take_gates(event, gates) : 0;
    if (part) hold.parted = true;
    if (part && ends) order_ended(event);
    objects_unlock();
    for (int i = 0; i < n; i++) open_gate(&gates[i]);
    if (!part) let_go(number, ends, false);
}

void hold_end(void) {
    let_go(paused.number, true, false);
}

static void slice(uint64_t number) {
    objects_lock();
    bool waits = is_paused(number) && hold.silence > 0 && --hold.silence == 0;
    objects_unlock();
    if (waits) let_go(number, false, false);
}

static void expire(uint64_t number) {
    let_go(number, true, true);
}

/* ---- beginning ---- */

void hold_begin(bool implementation) {
    static const struct pause_watch watch = {slice, expire};
    hold_end();
    objects_lock();
    hold.opened = hold.parted = false;
    hold.silence = hold.n_gates = 0;
    objects_unlock();
    pause_begin(implementation, &watch);
}

/* Has it to be stopped: before its first command, or since what comes now is behind an event? What
 * a queue without an order is stopped behind would have to be known: it is stopped only once. */
static bool is_to_stop(const struct object *queue) {
    if (queue == NULL || !paused.active || hold.opened || paused.party != adi_caller_party())
        return false;
    if (queue->held != paused.number) return hold.n_gates < GATES;
    return paused.party == 1 && queue->in_order && queue->gave_event && hold.n_gates < GATES / 2;
}

/* What comes too late is opened again. */
void hold_stop(cl_command_queue queue) {
    objects_lock();
    struct object *object = objects_find(queue);
    const void *context = is_to_stop(object) ? object->of : NULL;
    uint64_t number = paused.number;
    objects_unlock();
    if (context == NULL) return;
    struct gate gate = {next_layer->clCreateUserEvent((cl_context)(uintptr_t)context, NULL), -1};
    if (gate.event == NULL) return;
    bool stands =
        next_layer->clEnqueueBarrierWithWaitList(queue, 1, &gate.event, NULL) == CL_SUCCESS;
    objects_lock();
    object = objects_find(queue);
    bool in_time = stands && is_paused(number) && is_to_stop(object);
    if (in_time) {
        object->held = number;
        object->gave_event = false;
        gate.at = order_gate(object, number);
        hold.gates[hold.n_gates++] = gate;
    }
    objects_unlock();
    if (!in_time) open_gate(&gate);
}

/* ---- blocking ---- */

void hold_blocks(const void *object, bool waits) {
    objects_lock();
    const struct object *found = objects_find(object);
    if (waits) trace_wait(found);
    bool held = found != NULL && (hold_keeps(found) || is_paused(found->held) ||
                                  is_paused(found->ordered) || is_paused(found->stalled));
    objects_unlock();
    if (held) hold_end();
}

void hold_asked(cl_event event) {
    objects_lock();
    bool loop = hold_keeps(objects_find(event)) && ++paused.asked > 1;
    objects_unlock();
    if (loop) let_go_before(event, false);
}

void hold_told(cl_event event) {
    objects_lock();
    bool pending = hold_keeps(objects_find(event));
    objects_unlock();
    if (pending) let_go_before(event, true);
}

bool hold_calls_back(cl_event event) {
    objects_lock();
    bool pending = hold_keeps(objects_find(event));
    bool waits = pending && adi_caller_party() == 0;
    if (pending && !waits) hold.silence = SILENCE;
    objects_unlock();
    if (waits) let_go_before(event, false);
    return pending;
}
