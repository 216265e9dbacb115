/* SPDX-License-Identifier: Apache-2.0 */
#include "vk_trace.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t calls;
static struct recorded before; /* the step before, of the same command buffer */

bool trace_name(const struct object *object, char out[48]) {
    bool buffer = object != NULL && object->kind == ADI_VULKAN_BUFFER;
    if (!buffer && (object == NULL || object->kind != ADI_VULKAN_EVENT)) return false;
    snprintf(out, 48, "%s %u", buffer ? "buffer" : "event", object->number);
    return true;
}

void trace_begin(void) {
    before = (struct recorded){.call = NULL};
}

uint64_t trace_count(void) {
    return calls;
}

/* A command has a step for each of its buffers: a copy reads one and writes another. */
static bool goes_on(const struct recorded *step) {
    bool copies = before.step == STEP_READ && step->step == STEP_WRITE;
    bool shades = before.step == STEP_TOUCH && step->step == STEP_TOUCH;
    return before.call == step->call && (copies || (shades && before.handle != step->handle));
}

/* Which stages a dependency is about, if not all; "" or with `word` before them. */
static const char *stages_text(VkPipelineStageFlags2 stages, const char *word, char out[64]) {
    const char *copies = (stages & STAGES_COPY) != 0 ? " transfer" : "";
    const char *shaders = (stages & STAGES_COMPUTE) != 0 ? " compute" : "";
    bool others = *copies == '\0' && *shaders == '\0';
    snprintf(out, 64, "%s%s%s%s", word, copies, shaders, others ? " other stages" : "");
    return stages == STAGES_ALL ? "" : out;
}

static void say_use(const struct queue *queue, const struct recorded *step, const char *name,
                    bool early) {
    const char *how = step->step == STEP_READ    ? "reads"
                      : step->step == STEP_WRITE ? "writes"
                                                 : "uses";
    adi_line_say("{\"call\":%" PRIu64 ",\"in\":\"%s\",\"by\":\"queue %u\",\"access\":\"command\","
                 "\"%s\":\"%s\",\"seq\":%" PRIu64 "}",
                 calls, step->call, queue->number, how, name, calls);
    if (early)
        adi_line_say("{\"call\":%" PRIu64 ",\"unordered\":\"queue %u\",\"not_behind\":\"writes\","
                     "\"of\":\"%s\"}",
                     calls, queue->number, name);
}

void trace_step(const struct queue *queue, const struct recorded *step, const struct object *object,
                bool early) {
    char name[48], stages[64];
    if (!goes_on(step)) calls++;
    before = *step;
    if (!adi_line_is_observed() || !trace_name(object, name)) return;
    if (step->step <= STEP_TOUCH) say_use(queue, step, name, early);
    if (step->step == STEP_SET)
        adi_line_say("{\"call\":%" PRIu64 ",\"in\":\"%s\",\"event\":%u"
                     ",\"records\":\"queue %u\",\"how\":\"set%s\",\"seq\":%" PRIu64 "}",
                     calls, step->call, object->number, queue->number,
                     stages_text(step->stages.first, ", only behind", stages), calls);
    if (step->step == STEP_WAIT)
        adi_line_say("{\"call\":%" PRIu64
                     ",\"in\":\"%s\",\"queue\":%u,\"awaits\":\"%s\",\"how\":\"%s\"}",
                     calls, step->call, queue->number, name,
                     stages_text(step->stages.second, ", only before", stages));
}

void trace_set(const struct object *event) {
    if (event != NULL)
        adi_line_say("{\"call\":%" PRIu64 ",\"in\":\"vkSetEvent\",\"event\":%u"
                     ",\"records\":\"the host\",\"how\":\"set\"}",
                     ++calls, event->number);
}

void trace_told(const char *call, const struct object *event) {
    char name[48];
    if (trace_name(event, name))
        adi_line_say("{\"call\":%" PRIu64 ",\"in\":\"%s\",\"knows\":\"%s\"}", calls, call, name);
}

void trace_waited(const char *call, const struct queue *queue, uint64_t count) {
    adi_line_say("{\"call\":%" PRIu64 ",\"in\":\"%s\",\"knows\":\"queue %u\",\"seq\":%" PRIu64 "}",
                 calls, call, queue->number, count);
}

void trace_destroyed(const struct object *buffer) {
    char name[48];
    if (!trace_name(buffer, name)) return;
    calls++;
    adi_line_say("{\"call\":%" PRIu64
                 ",\"in\":\"vkDestroyBuffer\",\"by\":\"the host\",\"access\":\"free\","
                 "\"writes\":\"%s\"}",
                 calls, name);
    adi_line_say("{\"unordered\":\"the host\",\"not_behind\":\"uses\",\"of\":\"%s\"}", name);
}
