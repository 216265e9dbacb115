/* SPDX-License-Identifier: Apache-2.0 */
#include "finish.h"
#include "order.h"
#include "pieces.h"
#include "trace.h"

#define GATES   64 /* half of them for the first one of a queue */
#define SILENCE 4  /* slices of the watchdog's: a tenth of a second, or more */

const cl_icd_dispatch *next_layer;

/* A user event that stops a queue. */
struct gate {
    cl_event event;
    int at; /* its number among the commands (order.h); -1: not known */
};

static struct {
    bool opened; /* the queues go on, and nobody has seen the end of anything yet */
    int silence; /* slices of time until somebody who waits for a callback gets it */
    bool parted; /* the harness has waited for one event, and only that has run */
    struct gate gates[GATES];
    int n_gates;
} hold;

static bool is_pending(const struct object *object) {
    return object != NULL && is_paused(object->pending) && !order_has_ended(object, paused.number);
}

bool hold_is_pending(const void *object) {
    objects_lock();
    bool pending = is_pending(objects_at(object));
    objects_unlock();
    return pending;
}

bool hold_is_used(const void *buffer) {
    objects_lock();
    const struct object *object = objects_at(buffer);
    bool used = object != NULL && is_paused(object->used) && !hold.parted;
    objects_unlock();
    return used;
}

bool hold_covers(const void *event, const void *buffer) {
    objects_lock();
    const struct object *first = objects_find(event), *second = objects_at(buffer);
    bool covers = first == NULL || second == NULL || !paused.active ||
                  order_covers(first, second, paused.number);
    objects_unlock();
    return covers;
}

bool hold_is_pending_in(const void *buffer, int64_t offset, int64_t bytes) {
    const struct piece_asked asked = {buffer, offset, bytes};
    objects_lock();
    bool pending = paused.active && pieces_are_pending(&asked, paused.number);
    objects_unlock();
    return pending;
}

bool hold_covers_in(const void *event, const void *buffer, int64_t offset, int64_t bytes) {
    const struct piece_asked asked = {buffer, offset, bytes};
    objects_lock();
    const struct object *object = objects_find(event);
    bool covers =
        object == NULL || !paused.active || pieces_are_covered(&asked, object, paused.number);
    objects_unlock();
    return covers;
}

bool hold_is_used_in(const void *buffer, int64_t offset, int64_t bytes) {
    const struct piece_asked asked = {buffer, offset, bytes};
    objects_lock();
    bool used = paused.active && !hold.parted && pieces_are_used(&asked, paused.number);
    objects_unlock();
    return used;
}

bool hold_is_given_up(const void *buffer) {
    objects_lock();
    bool given_up = objects_is_given_up(buffer);
    objects_unlock();
    return given_up;
}

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

bool hold_stops(void) {
    objects_lock();
    bool stops = paused.active && hold.n_gates > 0;
    objects_unlock();
    return stops;
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

/* Stops a queue that is to be stopped. What comes too late is opened again. */
static void stop_queue(cl_command_queue queue) {
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

/* ---- commands ---- */

/* The kind that a function wants, by what it returns where it does not get it. */
static enum adi_opencl_kind wanted_kind(cl_int code) {
    static const struct {
        cl_int code;
        enum adi_opencl_kind kind;
    } kinds[] = {{CL_INVALID_CONTEXT, ADI_OPENCL_CONTEXT},
                 {CL_INVALID_COMMAND_QUEUE, ADI_OPENCL_QUEUE},
                 {CL_INVALID_MEM_OBJECT, ADI_OPENCL_MEMORY},
                 {CL_INVALID_EVENT, ADI_OPENCL_EVENT},
                 {CL_INVALID_EVENT_WAIT_LIST, ADI_OPENCL_EVENT}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].code == code) return kinds[i].kind;
    return ADI_OPENCL_UNKNOWN;
}

/* Where a dead object was there may be another by now. The end of a kernel is not seen. */
static bool is_another(const struct object *object, cl_int code) {
    if (object->kind == ADI_OPENCL_SHARED && code == CL_INVALID_MEM_OBJECT) return false;
    return object->kind != ADI_OPENCL_KERNEL && object->kind != wanted_kind(code);
}

cl_int hold_look(const char *call, const void *handle, cl_int code) {
    objects_lock();
    const struct object *object = objects_find(handle);
    bool dead = object != NULL && object->dead;
    bool other = object != NULL && !dead && is_another(object, code);
    bool is_event = dead && object->kind == ADI_OPENCL_EVENT;
    const char *made_by = object != NULL ? object->made_by : "";
    objects_unlock();
    if (!dead && !other) return CL_SUCCESS;
    if (other)
        adi_misused(ADI_MISUSE_DEAD, wanted_kind(code) == ADI_OPENCL_EVENT,
                    "%s uses the object of %s, which is of another kind: what was meant may have "
                    "been released before",
                    call, made_by);
    else
        adi_misused(ADI_MISUSE_DEAD, is_event, "%s uses the %s of %s, which was released before",
                    call, is_event ? "cl_event" : "object", made_by);
    return code;
}

bool hold_release(const char *call, const void *handle) {
    objects_lock();
    struct object *object = objects_find(handle);
    bool known = object != NULL, dead = known && object->dead;
    bool is_event = known && object->kind == ADI_OPENCL_EVENT;
    const char *made_by = known ? object->made_by : "";
    bool released = known && tracked_release(&object->tracked);
    objects_unlock();
    if (!known || released) return true;
    adi_misused(dead ? ADI_MISUSE_DEAD : ADI_MISUSE_NOT_OWNED, is_event,
                dead ? "%s of what %s had made and was released before"
                     : "%s of what %s had made, a reference that the caller does not hold",
                call, made_by);
    return false;
}

static cl_int look_at_all(const struct command *command) {
    cl_int code = hold_look(command->call, command->queue, CL_INVALID_COMMAND_QUEUE);
    for (int i = 0; i < MOST_ARGUMENTS && code == CL_SUCCESS; i++) {
        code = hold_look(command->call, command->reads[i], CL_INVALID_MEM_OBJECT);
        if (code == CL_SUCCESS)
            code = hold_look(command->call, command->writes[i], CL_INVALID_MEM_OBJECT);
    }
    for (cl_uint i = 0; command->waits != NULL && i < command->n_waits && code == CL_SUCCESS; i++)
        code = hold_look(command->call, command->waits[i], CL_INVALID_EVENT_WAIT_LIST);
    return code;
}

static bool waits_for_held(const struct command *command) {
    bool found = false;
    for (cl_uint i = 0; command->waits != NULL && i < command->n_waits; i++)
        found = found || is_pending(objects_find(command->waits[i]));
    return found;
}

/* What a sub-buffer of somebody else's buffer is part of; else itself. Who has made both may write
 * one part while another one is read. */
static struct object *whole(const void *handle) {
    struct object *part = objects_find(handle);
    struct object *of =
        part != NULL && part->kind == ADI_OPENCL_MEMORY ? objects_find(part->of) : NULL;
    return of != NULL && of->references[0] > 0 && part->references[0] == 0 ? of : part;
}

/* What it reads of what something held is going to write; NULL: nothing. */
static const struct object *pending_input(const struct command *command) {
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        if (is_pending(whole(command->reads[i]))) return whole(command->reads[i]);
    return NULL;
}

/* Does it write what the harness has made? */
static bool mutates(const struct command *command) {
    bool found = false;
    for (int i = 0; i < MOST_ARGUMENTS && !command->may_read; i++) {
        const struct object *object = whole(command->writes[i]);
        found = found || (object != NULL && object->references[0] > 0);
    }
    return found;
}

/* Does it use what was the implementation's only until it released the array? */
static bool uses_given_up(const struct command *command) {
    bool found = false;
    for (int i = 0; i < MOST_ARGUMENTS && !command->unmaps; i++)
        found = found || objects_is_given_up(command->reads[i]) ||
                objects_is_given_up(command->writes[i]);
    return found;
}

cl_int command_begin(struct command *command) {
    cl_int code = look_at_all(command);
    if (code != CL_SUCCESS) return code;
    stop_queue(command->queue);
    objects_lock();
    struct object *queue = objects_find(command->queue);
    bool waits = waits_for_held(command);
    command->stopped =
        waits || (queue != NULL && (is_paused(queue->held) || is_paused(queue->ordered)));
    const struct object *input = command->stopped ? NULL : pending_input(command);
    bool early = input != NULL;
    trace_command(command, input);
    bool late = uses_given_up(command), wrong = !late && mutates(command);
    if (command->stopped && queue != NULL) queue->stalled = paused.number;
    if (waits && queue != NULL && (queue->in_order || command->orders))
        queue->ordered = paused.number;
    objects_unlock();
    if (early)
        adi_misused(ADI_MISUSE_EARLY, false,
                    "%s uses a buffer that is not written yet, and waits for no event that says so",
                    command->call);
    if (late)
        adi_misused(ADI_MISUSE_RELEASED, false,
                    "%s uses a buffer whose producer has given it up: a reference keeps the cl_mem "
                    "alive, and not what is in it",
                    command->call);
    if (wrong)
        adi_misused(ADI_MISUSE_MUTATED, false, "%s writes a buffer that is not its own",
                    command->call);
    if (command->blocking && command->stopped) hold_end();
    return CL_SUCCESS;
}

cl_int command_end(const struct command *command, cl_int code, const cl_event *event) {
    if (code != CL_SUCCESS) return code;
    objects_lock();
    for (int i = 0; i < MOST_ARGUMENTS && command->stopped; i++) {
        struct object *buffer = objects_find(command->writes[i]);
        if (buffer != NULL) buffer->pending = paused.number;
        buffer = whole(command->reads[i]);
        if (buffer != NULL && adi_caller_party() == 1) buffer->used = paused.number;
    }
    struct object *made =
        event == NULL ? NULL : objects_add(*event, ADI_OPENCL_EVENT, command->call);
    if (made != NULL && command->stopped) made->pending = paused.number;
    trace_event(command, made);
    struct object *queue = objects_find(command->queue);
    if (queue != NULL && event != NULL) queue->gave_event = true;
    if (queue != NULL) finish_note(queue);
    if (command->stopped)
        pieces_stopped(command, paused.number, order_stopped(command, queue, made, paused.number));
    objects_unlock();
    return code;
}

/* ---- blocking ---- */

void hold_blocks(const void *object, bool waits) {
    objects_lock();
    const struct object *found = objects_find(object);
    if (waits) trace_wait(found);
    bool held = found != NULL && (is_pending(found) || is_paused(found->held) ||
                                  is_paused(found->ordered) || is_paused(found->stalled));
    objects_unlock();
    if (held) hold_end();
}

void hold_asked(cl_event event) {
    objects_lock();
    bool loop = is_pending(objects_find(event)) && ++paused.asked > 1;
    objects_unlock();
    if (loop) let_go_before(event, false);
}

void hold_told(cl_event event) {
    objects_lock();
    bool pending = is_pending(objects_find(event));
    objects_unlock();
    if (pending) let_go_before(event, true);
}

bool hold_calls_back(cl_event event) {
    objects_lock();
    bool pending = is_pending(objects_find(event));
    bool waits = pending && adi_caller_party() == 0;
    if (pending && !waits) hold.silence = SILENCE;
    objects_unlock();
    if (waits) let_go_before(event, false);
    return pending;
}
