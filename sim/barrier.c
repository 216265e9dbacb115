/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue in the midst of a whole context: behind all that is in it, before all that comes later.
 */
#include <errno.h>
#include <inttypes.h>

#include "public.h"

static int find(adi_sim_context context_handle, adi_sim_queue queue_handle,
                struct sim_context **context, struct sim_queue **queue) {
    SIM_TRY(sim_registry_find(SIM_CONTEXT, context_handle, context));
    SIM_TRY(sim_registry_find(SIM_QUEUE, queue_handle, queue));
    return (*context)->device->lost ? sim_queue_lost() : 0;
}

static void log_order(const struct sim_context *context, const struct sim_queue *queue,
                      const char *how) {
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"queue\":%" PRIu64 ",\"%s\":\"context %" PRIu64
            "\"",
            sim.site.call, sim.site.name, queue->ordinal, how, context->ordinal);
}

/* What is left of queues that are no more has run. */
static int put_before(struct sim_context *context, struct sim_queue *queue) {
    int code = sim_queue_prepare(queue);
    if (code != 0) return code;
    log_order(context, queue, "awaits");
    for (const struct sim_queue *other = context->queues; code == 0 && other != NULL;
         other = other->next)
        code =
            sim_queue_follow(queue, (struct sim_tick){other->component, other->seq}, &other->clock);
    if (code == 0)
        code = sim_clock_join(&queue->clock, (struct sim_tick){queue->component, queue->seq + 1},
                              &context->gone, (struct sim_tick){SIM_HOST, 0});
    if (code == 0 && context->barrier.number > 0)
        code = sim_queue_follow(queue, context->barrier.last, &context->barrier.clock);
    sim_run_policy();
    return code;
}

int sim_context_before(adi_sim_context context_handle, adi_sim_queue queue_handle) {
    struct sim_context *context;
    struct sim_queue *queue;
    int code = find(context_handle, queue_handle, &context, &queue);
    return code == 0 ? put_before(context, queue) : code;
}

/* Queues that are there come behind it at once: who waits for one of them waits for that, too. */
static int put_behind(struct sim_context *context, const struct sim_queue *queue) {
    int code = 0;
    log_order(context, queue, "precedes");
    sim_clock_free(&context->barrier.clock);
    context->barrier.number++;
    context->barrier.last = (struct sim_tick){queue->component, queue->seq};
    context->barrier.clock = sim_clock_copy(&queue->clock);
    for (struct sim_queue *other = context->queues; code == 0 && other != NULL; other = other->next)
        if (!other->destroyed) code = sim_queue_follow_barrier(other);
    sim_run_policy();
    return code;
}

int sim_context_behind(adi_sim_context context_handle, adi_sim_queue queue_handle) {
    struct sim_context *context;
    struct sim_queue *queue;
    int code = find(context_handle, queue_handle, &context, &queue);
    return code == 0 ? put_behind(context, queue) : code;
}
