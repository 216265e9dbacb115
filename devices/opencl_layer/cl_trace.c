/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_trace.h"

#include <stdio.h>

static unsigned long long calls;

/* A part of a buffer is that buffer. */
static const struct object *whole(const struct object *object) {
    const struct object *of = object->kind == ADI_OPENCL_MEMORY ? objects_find(object->of) : NULL;
    return of != NULL && of->kind == ADI_OPENCL_MEMORY ? of : object;
}

bool trace_name(const struct object *object, char out[48]) {
    static const char *const kinds[] = {
        [ADI_OPENCL_QUEUE] = "queue",
        [ADI_OPENCL_EVENT] = "event",
        [ADI_OPENCL_MEMORY] = "buffer",
        [ADI_OPENCL_SHARED] = "buffer",
    };
    if (object == NULL || object->kind >= sizeof kinds / sizeof *kinds ||
        kinds[object->kind] == NULL)
        return false;
    snprintf(out, 48, "%s %u", kinds[object->kind], whole(object)->number);
    return true;
}

static void say_use(const struct command *command, const char *queue, const char *how,
                    const void *buffer) {
    char name[48];
    if (trace_name(objects_find(buffer), name))
        adi_line_say(
            "{\"call\":%llu,\"in\":\"%s\",\"by\":\"%s\",\"access\":\"command\",\"%s\":\"%s\","
            "\"seq\":%llu}",
            command->number, command->call, queue, how, name, command->number);
}

void trace_command(struct command *command, const struct object *early) {
    const struct object *queue = objects_find(command->queue);
    char name[48], other[48];
    command->number = ++calls;
    if (!adi_line_is_observed() || !trace_name(queue, name)) return;
    for (cl_uint i = 0; command->waits != NULL && i < command->n_waits; i++)
        if (trace_name(objects_find(command->waits[i]), other))
            adi_line_say("{\"call\":%llu,\"in\":\"%s\",\"queue\":%u,\"awaits\":\"%s\"}",
                         command->number, command->call, queue->number, other);
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        const void *read = command->reads[i], *written = command->writes[i];
        say_use(command, name, command->may_read ? "uses" : "reads", read);
        if (written != read || !command->may_read)
            say_use(command, name, command->may_read ? "uses" : "writes", written);
    }
    if (early != NULL && trace_name(early, other))
        adi_line_say("{\"call\":%llu,\"unordered\":\"%s\",\"not_behind\":\"writes\",\"of\":\"%s\"}",
                     command->number, name, other);
}

void trace_event(const struct command *command, const struct object *event) {
    const struct object *queue = objects_find(command->queue);
    char name[48];
    if (event != NULL && trace_name(queue, name))
        adi_line_say("{\"call\":%llu,\"in\":\"%s\",\"event\":%u,\"records\":\"%s\",\"seq\":%llu}",
                     command->number, command->call, event->number, name, command->number);
}

void trace_set(const struct object *event) {
    char name[48];
    if (trace_name(event, name))
        adi_line_say(
            "{\"call\":%llu,\"in\":\"clSetUserEventStatus\",\"event\":%u,\"records\":\"the host\","
            "\"how\":\"set\"}",
            ++calls, event->number);
}

void trace_wait(const struct object *object) {
    char name[48];
    if (trace_name(object, name))
        adi_line_say("{\"call\":%llu,\"in\":\"wait\",\"knows\":\"%s\",\"seq\":%llu}", calls, name,
                     calls);
}
