/* SPDX-License-Identifier: Apache-2.0 */
#include "public.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define FIRST_CAPACITY 8

struct sim_active sim_active;

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

void sim_queue_put(struct sim_queue *queue, const struct sim_op *op) {
    static uint64_t order;
    struct sim_op *at = op_at(queue, ++queue->seq);
    *at = *op;
    at->site = sim.site;
    at->order = ++order;
    at->queued_at = sim.now;
    if (queue->active == 0) {
        sim_active.at[sim_active.n++] = queue;
        queue->active = sim_active.n;
    }
    if (sim_logs())
        sim_log("\"call\":%" PRIu64 ",\"in\":\"%s\",\"queue\":%" PRIu64 ",\"seq\":%" PRIu64
                ",\"command\":\"%s\",\"bytes\":%zu",
                sim.site.call, sim.site.name, queue->ordinal, queue->seq, op->command->name,
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

struct sim_record *sim_record_new(const struct sim_queue *queue, uint64_t seq) {
    struct sim_record *record = sim_heap_new(sizeof *record);
    if (record == NULL) return NULL;
    *record = (struct sim_record){.held = 1,
                                  .component = queue->component,
                                  .seq = seq,
                                  .clock = sim_clock_copy(&queue->clock)};
    return record;
}

void sim_record_release(struct sim_record *record) {
    if (--record->held > 0) return;
    sim_clock_free(&record->clock);
    sim_heap_free(record);
}

/* ---- the order with other queues ---- */

static void drop_wait(struct sim_op *op) {
    if (op->wait.record != NULL) sim_record_release(op->wait.record);
    sim_clock_free(&op->wait.clock);
}

/* It takes no time of its own, but until then. */
static void run_wait(struct sim_queue *queue, struct sim_op *op) {
    const struct sim_queue *other = sim_clock_queue(op->wait.component);
    uint64_t time = op->wait.record != NULL ? op->wait.record->time
                    : other != NULL         ? other->time
                                            : 0;
    if (queue->time < time) queue->time = time;
}

const struct sim_command sim_wait_command = {"wait", run_wait, drop_wait};

bool sim_queue_has_run(struct sim_tick tick) {
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
    if (code != 0 || sim_queue_has_run(last)) return code;
    sim_queue_put(queue, &(struct sim_op){.command = &sim_wait_command,
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

void sim_queue_let_go_of_default(struct sim_queue *first) {
    struct sim_context *context = first->context;
    if (context->default_queue != first) return;
    for (struct sim_queue *queue = context->queues; queue != NULL; queue = queue->next) {
        bool behind = queue->flags & ADI_SIM_BLOCKING_QUEUE && !queue->destroyed;
        if (behind && queue != first && first->seq > queue->default_seen) order(queue, first);
        queue->default_seen = 0;
    }
    context->default_queue = NULL;
}

/* Each barrier comes behind the one before, by way of the context: the last one stands for all. */
int sim_queue_follow_barrier(struct sim_queue *queue) {
    const struct sim_context *context = queue->context;
    if (queue->barrier_seen == context->barrier.number) return 0;
    int code = sim_queue_follow(queue, context->barrier.last, &context->barrier.clock);
    if (code == 0) queue->barrier_seen = context->barrier.number;
    return code;
}

int sim_queue_lost(void) {
    for (size_t i = 0; i < sim_active.n; i++) {
        const struct sim_queue *queue = sim_active.at[i];
        if (queue->context->device->lost) sim_clock_learn(queue->component, queue->seq);
    }
    sim_shared_refresh();
    return EOWNERDEAD;
}

int sim_queue_prepare(struct sim_queue *queue) {
    if (queue->context->device->lost) return sim_queue_lost();
    int code = make_room_among_active();
    if (code == 0) code = sim_queue_follow_barrier(queue);
    if (code == 0) code = order_with_default(queue);
    return code == 0 ? make_room(queue, 1) : code;
}

/* ---- its life ---- */

void sim_context_tidy(struct sim_context *context) {
    if (!context->closed || context->users > 0 || context->queues != NULL) return;
    sim_clock_free(&context->gone_fresh);
    sim_clock_free(&context->gone);
    sim_clock_free(&context->barrier.clock);
    sim_heap_free(context);
}

void sim_queue_tidy(struct sim_queue *queue) {
    struct sim_context *context = queue->context;
    if (!queue->destroyed || queue->users > 0 || queue->done < queue->seq) return;
    struct sim_tick nobody = {SIM_HOST, SIM_NEVER}, last = {queue->component, queue->seq};
    if (queue->is_fresh) sim_clock_join(&context->gone_fresh, nobody, &queue->clock, last);
    sim_clock_join(&context->gone, nobody, &queue->clock, last);
    unlink_fresh(queue);
    sim_queue_let_go_of_default(queue);
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
