/* SPDX-License-Identifier: Apache-2.0 */
#include "public.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define FIRST_CAPACITY 8

struct sim_active sim_active;

int sim_queue_find(adi_sim_queue handle, struct sim_queue **queue) {
    void *object;
    int code = sim_registry_find(SIM_QUEUE, handle, &object);
    if (code == 0) *queue = object;
    return code;
}

/* ---- the ring ---- */

static struct sim_op *op_at(const struct sim_queue *queue, uint64_t seq) {
    return &queue->ops[seq & (queue->capacity - 1)];
}

static int make_room(struct sim_queue *queue, size_t more) {
    size_t needed = (size_t)(queue->seq - queue->done) + more, capacity = queue->capacity;
    if (needed <= capacity) return 0;
    if (capacity == 0) capacity = FIRST_CAPACITY;
    while (capacity < needed) capacity *= 2;
    struct sim_op *ops = sim_heap_new(capacity * sizeof *ops);
    if (ops == NULL) return ENOMEM;
    for (uint64_t seq = queue->done + 1; seq <= queue->seq; seq++)
        ops[seq & (capacity - 1)] = *op_at(queue, seq);
    sim_heap_free(queue->ops);
    queue->ops = ops;
    queue->capacity = capacity;
    return 0;
}

static int make_room_among_active(void) {
    if (sim_active.n < sim_active.capacity) return 0;
    size_t capacity = sim_active.capacity == 0 ? 64 : sim_active.capacity * 2;
    struct sim_queue **grown = sim_heap_grow(sim_active.at, capacity * sizeof *grown);
    if (grown == NULL) return ENOMEM;
    sim_active.at = grown;
    sim_active.capacity = capacity;
    return 0;
}

static void put(struct sim_queue *queue, const struct sim_op *op) {
    static uint64_t order;
    struct sim_op *at = op_at(queue, ++queue->seq);
    *at = *op;
    at->place = sim.place;
    at->order = ++order;
    at->queued_at = sim.now;
    if (queue->active == 0) {
        sim_active.at[sim_active.n++] = queue;
        queue->active = sim_active.n;
    }
    if (sim_logs())
        sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"queue\":%" PRIu64 ",\"seq\":%" PRIu64
                ",\"command\":\"%s\",\"bytes\":%zu",
                sim.place.call, sim.place.name, queue->ordinal, queue->seq, op->command->name,
                op->bytes);
}

struct sim_op *sim_queue_op(struct sim_queue *queue, uint64_t seq) {
    return queue->done < seq && seq <= queue->seq ? op_at(queue, seq) : NULL;
}

struct sim_op *sim_queue_head(struct sim_queue *queue) {
    return sim_queue_op(queue, queue->done + 1);
}

void sim_queue_pop(struct sim_queue *queue) {
    queue->done++;
    if (queue->done < queue->seq) return;
    struct sim_queue *last = sim_active.at[--sim_active.n];
    sim_active.at[queue->active - 1] = last;
    last->active = queue->active;
    queue->active = 0;
    sim_queue_tidy(queue);
}

/* ---- the order with other queues ---- */

static bool has_run(struct sim_tick tick) {
    const struct sim_queue *queue = sim_clock_queue(tick.component);
    return queue == NULL || queue->done >= tick.seq;
}

int sim_queue_follow(struct sim_queue *queue, struct sim_tick last, const struct sim_clock *clock) {
    if (last.component == queue->component) return 0;
    int code = make_room_among_active();
    if (code == 0) code = make_room(queue, 1);
    if (code == 0)
        code = sim_clock_join(&queue->clock, (struct sim_tick){queue->component, queue->seq + 1},
                              clock, last);
    if (code != 0 || has_run(last)) return code;
    put(queue, &(struct sim_op){.command = &sim_wait_command,
                                .wait = {.component = last.component,
                                         .seq = last.seq,
                                         .clock = sim_clock_copy(clock)}});
    return 0;
}

/* `behind` waits for all that is in `first` now. */
static int order(struct sim_queue *behind, const struct sim_queue *first) {
    return sim_queue_follow(behind, (struct sim_tick){first->component, first->seq}, &first->clock);
}

static void unlink_fresh(struct sim_queue *queue) {
    struct sim_queue **link = &queue->context->fresh;
    if (!queue->is_fresh) return;
    while (*link != queue) link = &(*link)->next_fresh;
    *link = queue->next_fresh;
    queue->is_fresh = false;
}

static int order_with_default(struct sim_queue *queue) {
    struct sim_queue *first = queue->context->default_queue;
    int code = 0;
    if (queue == first) {
        for (struct sim_queue *fresh; code == 0 && (fresh = queue->context->fresh) != NULL;) {
            code = order(queue, fresh);
            unlink_fresh(fresh);
        }
        if (code == 0)
            code =
                sim_clock_join(&queue->clock, (struct sim_tick){queue->component, queue->seq + 1},
                               &queue->context->gone_fresh, (struct sim_tick){SIM_HOST, 0});
        if (code == 0) sim_clock_free(&queue->context->gone_fresh);
    } else if (queue->flags & ADI_SIM_BLOCKING_QUEUE) {
        if (first != NULL && first->seq > queue->default_seen) {
            code = order(queue, first);
            queue->default_seen = first->seq;
        }
        if (!queue->is_fresh) {
            queue->next_fresh = queue->context->fresh;
            queue->context->fresh = queue;
            queue->is_fresh = true;
        }
    }
    return code;
}

/* The blocking queues still come behind what is in it. */
static void let_go_of_default(struct sim_queue *first) {
    struct sim_context *context = first->context;
    if (context->default_queue != first) return;
    for (struct sim_queue *queue = context->queues; queue != NULL; queue = queue->next) {
        bool behind = queue->flags & ADI_SIM_BLOCKING_QUEUE && !queue->destroyed;
        if (behind && queue != first && first->seq > queue->default_seen) order(queue, first);
        queue->default_seen = 0;
    }
    context->default_queue = NULL;
}

int sim_queue_prepare(struct sim_queue *queue) {
    if (queue->context->device->lost) return sim_run_lost();
    int code = make_room_among_active();
    if (code == 0) code = sim_barrier_follow(queue);
    if (code == 0) code = order_with_default(queue);
    return code == 0 ? make_room(queue, 1) : code;
}

void sim_queue_push(struct sim_queue *queue, struct sim_op op) {
    put(queue, &op);
    sim_run_policy();
}

/* ---- its life ---- */

void sim_queue_tidy(struct sim_queue *queue) {
    struct sim_context *context = queue->context;
    if (!queue->destroyed || queue->users > 0 || queue->done < queue->seq) return;
    struct sim_tick nobody = {SIM_HOST, SIM_NEVER}, last = {queue->component, queue->seq};
    if (queue->is_fresh) sim_clock_join(&context->gone_fresh, nobody, &queue->clock, last);
    sim_clock_join(&context->gone, nobody, &queue->clock, last);
    unlink_fresh(queue);
    let_go_of_default(queue);
    if (queue->previous == NULL)
        context->queues = queue->next;
    else
        queue->previous->next = queue->next;
    if (queue->next != NULL) queue->next->previous = queue->previous;
    sim_clock_gone(queue->component, queue->seq);
    sim_clock_free(&queue->clock);
    sim_heap_free(queue->ops);
    sim_heap_free(queue);
    sim_context_tidy(context);
}

int sim_queue_create(adi_sim_context handle, unsigned flags, adi_sim_queue *out) {
    void *object;
    if (flags >= 2 * ADI_SIM_OWN_QUEUE) return EINVAL;
    int code = sim_registry_find(SIM_CONTEXT, handle, &object);
    if (code != 0) return code;
    struct sim_context *context = object;
    if (flags & ADI_SIM_DEFAULT_QUEUE && context->default_queue != NULL) return EINVAL;
    struct sim_queue *queue = sim_heap_new(sizeof *queue);
    if (queue == NULL) return ENOMEM;
    *queue = (struct sim_queue){
        .context = context, .flags = flags, .party = sim.place.party, .next = context->queues};
    code = sim_clock_component(queue, &queue->component);
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
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"makes\":\"queue %" PRIu64 "\"", sim.place.call,
            sim.place.name, queue->ordinal);
    return 0;
}

int sim_queue_destroy(adi_sim_queue handle) {
    void *object;
    int code = sim_registry_take(SIM_QUEUE, handle, &object);
    if (code != 0) return code;
    struct sim_queue *queue = object;
    sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"ends\":\"queue %" PRIu64 "\"", sim.place.call,
            sim.place.name, queue->ordinal);
    queue->destroyed = true;
    let_go_of_default(queue);
    sim_queue_tidy(queue);
    return 0;
}

int sim_queue_sync(adi_sim_queue handle) {
    struct sim_queue *queue;
    int code = sim_queue_find(handle, &queue);
    return code == 0 ? sim_run_sync(queue, queue->seq) : code;
}

int sim_queue_query(adi_sim_queue handle) {
    struct sim_queue *queue;
    int code = sim_queue_find(handle, &queue);
    if (code != 0) return code;
    queue->users++;
    code = sim_run_query(queue->component, queue->seq, &queue->clock);
    queue->users--;
    sim_queue_tidy(queue);
    return code;
}

int sim_queue_hold(adi_sim_queue handle, bool held) {
    struct sim_queue *queue;
    int code = sim_queue_find(handle, &queue);
    if (code != 0) return code;
    queue->held = held;
    sim_run_policy();
    return 0;
}

int sim_queue_info(adi_sim_queue handle, int *device, adi_sim_context *context) {
    struct sim_queue *queue;
    int code = sim_queue_find(handle, &queue);
    if (code != 0) return code;
    *device = queue->context->device->index;
    *context = queue->context->handle;
    return 0;
}

int sim_queue_ordinal(adi_sim_queue handle, uint64_t *ordinal) {
    struct sim_queue *queue;
    int code = sim_queue_find(handle, &queue);
    if (code == 0) *ordinal = queue->ordinal;
    return code;
}

int sim_queue_set_label(adi_sim_queue handle, uint64_t label) {
    return sim_registry_set_label(SIM_QUEUE, handle, label);
}

int sim_queue_label(adi_sim_queue handle, adi_sim_context *context, uint64_t *label) {
    return sim_registry_label(SIM_QUEUE, handle, context, label);
}
