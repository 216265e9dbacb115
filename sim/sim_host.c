/* SPDX-License-Identifier: Apache-2.0 */

#include "queue.h"

#define IDLE_NS 20000000

struct sim_jobs sim_jobs;

struct timespec sim_host_after_idling(struct timespec from) {
    from.tv_nsec += IDLE_NS;
    if (from.tv_nsec >= 1000000000) {
        from.tv_nsec -= 1000000000;
        from.tv_sec++;
    }
    return from;
}

void sim_host_note_call(void) {
    if (sim_jobs.n_waiting > 0) clock_gettime(CLOCK_MONOTONIC, &sim_jobs.last_call);
}

void sim_host_count(int more) {
    sim_jobs.n_waiting += (uint64_t)more;
    if (more < 0) return;
    sim_host_note_call();
    pthread_cond_signal(&sim.work);
}

static void drop_host(struct sim_op *op) {
    sim_record_release(op->host.before);
    sim_host_count(-1);
}

const struct sim_command sim_host_command = {"host", NULL, drop_host};

void sim_host_hand(struct sim_queue *queue) {
    struct sim_queue **last = &sim_jobs.first;
    while (*last != NULL) last = &(*last)->next_job;
    *last = queue;
    queue->next_job = NULL;
    queue->running = true;
    pthread_cond_signal(&sim.work);
}

void sim_host_wait(bool briefly) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    now = sim_host_after_idling(now);
    sim_wait(&sim.turn, briefly ? &now : NULL);
}

uint64_t sim_host_first(struct sim_queue *queue) {
    bool lost = queue->context->device->lost;
    for (uint64_t seq = queue->done + 1; seq <= queue->seq; seq++) {
        const struct sim_op *op = sim_queue_op(queue, seq);
        if (op->command == &sim_host_command && (!lost || op->host.callback != NULL)) return seq;
    }
    return 0;
}

void sim_host_lost(void) {
    sim_jobs.any_lost = true;
    pthread_cond_signal(&sim.work);
}

void sim_host_wait_for_callbacks(struct sim_queue *queue) {
    while (queue->running || (queue->context->device->lost && sim_host_first(queue) != 0))
        sim_host_wait(false);
}
