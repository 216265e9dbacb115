/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>

#include "public.h"

int sim_queue_create(adi_sim_context handle, unsigned flags, adi_sim_queue *out) {
    struct sim_context *context;
    if (flags >= 2 * ADI_SIM_OWN_QUEUE) return EINVAL;
    SIM_TRY(sim_registry_find(SIM_CONTEXT, handle, &context));
    if (flags & ADI_SIM_DEFAULT_QUEUE && context->default_queue != NULL) return EINVAL;
    struct sim_queue *queue = sim_heap_new(sizeof *queue);
    if (queue == NULL) return ENOMEM;
    *queue = (struct sim_queue){
        .context = context, .flags = flags, .party = sim.site.party, .next = context->queues};
    int code = sim_clock_component(queue, &queue->component);
    if (code == 0) {
        code = sim_registry_add(SIM_QUEUE, queue, context, &queue->handle, &queue->ordinal);
        if (code != 0) sim_clock_gone(queue->component, 0);
    }
    if (code != 0) {
        sim_heap_free(queue);
        return code;
    }
    if (flags & ADI_SIM_OWN_QUEUE) sim_registry_own(SIM_QUEUE, queue->handle);
    if (context->queues != NULL) context->queues->previous = queue;
    context->queues = queue;
    if (flags & ADI_SIM_DEFAULT_QUEUE) context->default_queue = queue;
    *out = queue->handle;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"makes\":\"queue %" PRIu64 "\"", sim.site.call,
            sim.site.name, queue->ordinal);
    return 0;
}

int sim_queue_destroy(adi_sim_queue handle) {
    struct sim_queue *queue;
    SIM_TRY(sim_registry_take(SIM_QUEUE, handle, &queue));
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"ends\":\"queue %" PRIu64 "\"", sim.site.call,
            sim.site.name, queue->ordinal);
    queue->destroyed = true;
    sim_queue_let_go_of_default(queue);
    sim_queue_tidy(queue);
    return 0;
}

int sim_queue_sync(adi_sim_queue handle) {
    struct sim_queue *queue;
    int code = sim_registry_find(SIM_QUEUE, handle, &queue);
    return code == 0 ? sim_run_sync(queue, queue->seq) : code;
}

int sim_queue_query(adi_sim_queue handle) {
    struct sim_queue *queue;
    SIM_TRY(sim_registry_find(SIM_QUEUE, handle, &queue));
    queue->users++;
    int code = sim_run_query(queue->component, queue->seq, &queue->clock);
    queue->users--;
    sim_queue_tidy(queue);
    return code;
}

int sim_queue_hold(adi_sim_queue handle, bool held) {
    struct sim_queue *queue;
    SIM_TRY(sim_registry_find(SIM_QUEUE, handle, &queue));
    queue->paused = held;
    sim_run_policy();
    return 0;
}

int sim_queue_info(adi_sim_queue handle, int *device, adi_sim_context *context) {
    struct sim_queue *queue;
    SIM_TRY(sim_registry_find(SIM_QUEUE, handle, &queue));
    *device = queue->context->device->index;
    *context = queue->context->handle;
    return 0;
}

int sim_queue_ordinal(adi_sim_queue handle, uint64_t *ordinal) {
    struct sim_queue *queue;
    int code = sim_registry_find(SIM_QUEUE, handle, &queue);
    if (code == 0) *ordinal = queue->ordinal;
    return code;
}

int sim_queue_set_label(adi_sim_queue handle, uint64_t label) {
    return sim_registry_set_label(SIM_QUEUE, handle, label);
}

int sim_queue_label(adi_sim_queue handle, adi_sim_context *context, uint64_t *label) {
    return sim_registry_label(SIM_QUEUE, handle, context, label);
}
