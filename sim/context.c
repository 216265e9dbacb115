/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "public.h"

int sim_context_open(const char *family, int index, adi_sim_context *out) {
    struct sim_device *device;
    SIM_TRY(sim_memory_device(family, index, &device));
    if (device->lost) return EOWNERDEAD;
    struct sim_context *context = sim_heap_zeroed(sizeof *context);
    if (context == NULL) return ENOMEM;
    context->device = device;
    int code = sim_registry_add(SIM_CONTEXT, context, NULL, &context->handle, &context->ordinal);
    if (code != 0) {
        sim_heap_free(context);
        return code;
    }
    *out = context->handle;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"makes\":\"context %" PRIu64
            "\",\"device\":\"%s:%d\"",
            sim.site.call, sim.site.name, context->ordinal, device->family, device->index);
    return 0;
}

/* For each queue, until one does not answer 0. One that is being visited stays in the row, even if
 * it is destroyed meanwhile. */
static int each_queue(struct sim_context *context, int (*visit)(struct sim_queue *queue)) {
    int code = 0;
    context->users++;
    for (struct sim_queue *queue = context->queues, *next; code == 0 && queue != NULL;
         queue = next) {
        queue->users++;
        code = visit(queue);
        next = queue->next;
        queue->users--;
        sim_queue_tidy(queue);
    }
    context->users--;
    return code;
}

static int sync_queue(struct sim_queue *queue) {
    bool known = queue->seq <= sim_clock_learned(queue->component);
    if (known && !queue->context->device->lost) return 0;
    return sim_run_sync(queue, queue->seq);
}

static int wait_for_callbacks(struct sim_queue *queue) {
    sim_host_wait_for_callbacks(queue);
    return 0;
}

/* The context is the caller's to tidy. */
static int sync(struct sim_context *context) {
    int code = each_queue(context, sync_queue);
    if (code == EOWNERDEAD) each_queue(context, wait_for_callbacks);
    if (code != 0) return code;
    sim_clock_learn_all(&context->gone);
    sim_clock_free(&context->gone);
    sim_shared_refresh();
    return 0;
}

int sim_context_own(adi_sim_context handle) {
    return sim_registry_own(SIM_CONTEXT, handle);
}

int sim_context_sync(adi_sim_context handle) {
    struct sim_context *context;
    SIM_TRY(sim_registry_find(SIM_CONTEXT, handle, &context));
    int code = sync(context);
    sim_context_tidy(context);
    return code;
}

static void end_queue(void *object) {
    struct sim_queue *queue = object;
    queue->destroyed = true;
    sim_queue_tidy(queue);
}

/* What is left in a queue of a lost device never runs. Its callbacks have been waited for. */
static int drop_work(struct sim_queue *queue) {
    for (struct sim_op *op; (op = sim_queue_head(queue)) != NULL;) {
        if (op->command->drop != NULL) op->command->drop(op);
        sim_queue_pop(queue);
    }
    return 0;
}

/* Other threads may still wait for work of it, or have queued more. */
static int close_context(adi_sim_context handle, bool leaks) {
    struct sim_context *context;
    SIM_TRY(sim_registry_take(SIM_CONTEXT, handle, &context));
    int code = sync(context);
    if (leaks) sim_registry_leaks(context);
    if (sim.settings.leaks) sim_own_leaks(context);
    sim_events_end(context);
    sim_registry_end(SIM_QUEUE, context, end_queue);
    if (code == 0) code = sync(context);
    if (code == EOWNERDEAD) each_queue(context, drop_work);
    while (context->first != NULL) {
        /* Queues of other contexts may use it. */
        sim_note(NULL, context->first, 0, context->first->bytes, true, "free");
        sim_allocation_look_behind(context->first);
        sim_allocation_end(context->first);
    }
    sim_own_end(context);
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"ends\":\"context %" PRIu64 "\"", sim.site.call,
            sim.site.name, context->ordinal);
    context->closed = true;
    sim_context_tidy(context);
    return code == EOWNERDEAD ? 0 : code;
}

int sim_context_close(adi_sim_context handle) {
    return close_context(handle, true);
}

int sim_context_discard(adi_sim_context handle) {
    return close_context(handle, sim.settings.leaks);
}

int sim_memory_info(adi_sim_context handle, size_t *available, size_t *total) {
    struct sim_context *context;
    SIM_TRY(sim_registry_find(SIM_CONTEXT, handle, &context));
    *total = (size_t)sim.settings.memory;
    *available = (size_t)(sim.settings.memory - context->device->used);
    return 0;
}

int sim_memory_total(size_t *total) {
    *total = (size_t)sim.settings.memory;
    return 0;
}
