/* SPDX-License-Identifier: Apache-2.0
 *
 * What a command means for what is paused, and what is wrong with it.
 */
#include "cl_accesses.h"
#include "cl_drain.h"
#include "cl_order.h"
#include "cl_trace.h"

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

cl_int object_check(const char *call, const void *handle, cl_int code) {
    objects_lock();
    const struct object *object = objects_find(handle);
    bool dead = object != NULL && object->dead;
    bool other = object != NULL && !dead && is_another(object, code);
    bool is_event = dead && object->kind == ADI_OPENCL_EVENT;
    bool address = object == NULL && wanted_kind(code) == ADI_OPENCL_EVENT &&
                   tracked_is_address((uintptr_t)handle, ADI_OPENCL_EVENT);
    const char *made_by = object != NULL ? object->made_by : "";
    objects_unlock();
    if (!dead && !other && !address) return CL_SUCCESS;
    if (address)
        adi_misused(ADI_MISUSE_ADDRESS, true, "%s uses the address of a cl_event for it", call);
    else if (other)
        adi_misused(ADI_MISUSE_DEAD, wanted_kind(code) == ADI_OPENCL_EVENT,
                    "%s uses the object of %s, which is of another kind: what was meant may have "
                    "been released before",
                    call, made_by);
    else
        adi_misused(ADI_MISUSE_DEAD, is_event, "%s uses the %s of %s, which was released before",
                    call, is_event ? "cl_event" : "object", made_by);
    return code;
}

bool object_may_release(const char *call, const void *handle) {
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
    for (cl_uint i = 0; command->others != NULL && i < command->n_others; i++)
        ADI_TRY(object_check(command->call, command->others[i], CL_INVALID_MEM_OBJECT));
    ADI_TRY(object_check(command->call, command->queue, CL_INVALID_COMMAND_QUEUE));
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        ADI_TRY(object_check(command->call, command->reads[i], CL_INVALID_MEM_OBJECT));
        ADI_TRY(object_check(command->call, command->writes[i], CL_INVALID_MEM_OBJECT));
    }
    for (cl_uint i = 0; command->waits != NULL && i < command->n_waits; i++)
        ADI_TRY(object_check(command->call, command->waits[i], CL_INVALID_EVENT_WAIT_LIST));
    return CL_SUCCESS;
}

static bool waits_for_paused(const struct command *command) {
    bool found = false;
    for (cl_uint i = 0; command->waits != NULL && i < command->n_waits; i++)
        found = found || pause_keeps(objects_find(command->waits[i]));
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

/* What it reads of what something paused is going to write; NULL: nothing. */
static const struct object *pending_input(const struct command *command) {
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        if (pause_keeps(whole(command->reads[i]))) return whole(command->reads[i]);
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

/* What a kernel does with a buffer is not known. It is taken for the one that writes it if nobody
 * else is, and else for one that looks at what has been written. */
static void take_arguments(struct command *seen, cl_kernel kernel) {
    objects_lock();
    const struct object *object = objects_find(kernel);
    for (int i = 0; object != NULL && i < MOST_ARGUMENTS; i++) {
        seen->reads[i] = object->arguments[i];
        seen->writes[i] = object->constant[i] ? NULL : object->arguments[i];
    }
    seen->may_read = true;
    objects_unlock();
    for (int i = 0; i < MOST_ARGUMENTS; i++)
        if (object_is_pending(seen->writes[i])) seen->writes[i] = NULL;
}

cl_int command_begin(struct command *command) {
    if (command->kernel != NULL) take_arguments(command, command->kernel);
    ADI_TRY(look_at_all(command));
    queue_stop(command->queue);
    objects_lock();
    struct object *queue = objects_find(command->queue);
    bool waits = waits_for_paused(command);
    command->stopped =
        waits || (queue != NULL && (is_paused(queue->stopped_in) || is_paused(queue->ordered)));
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
    if (command->blocking && command->stopped) queues_resume();
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
    if (queue != NULL) drain_note(queue);
    if (command->stopped)
        accesses_stopped(command, paused.number,
                         order_stopped(command, queue, made, paused.number));
    objects_unlock();
    return code;
}
