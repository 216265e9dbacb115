/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions run on a thread of the engine, as they do in the interfaces that are simulated: a
 * program may hold a lock while it queues one that takes the same lock.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <time.h>

#include "queue.h"

#define IDLE_NS 20000000

static struct sim_queue *jobs; /* whose turn it is; the oldest first */
static uint64_t n_waiting;     /* host functions that are queued */
static struct timespec last_call;
static bool has_thread;
static struct sim_tick running; /* of the one that runs */

static struct timespec after_idling(struct timespec from) {
    from.tv_nsec += IDLE_NS;
    if (from.tv_nsec >= 1000000000) {
        from.tv_nsec -= 1000000000;
        from.tv_sec++;
    }
    return from;
}

void sim_queue_note_call(void) {
    if (n_waiting > 0) clock_gettime(CLOCK_MONOTONIC, &last_call);
}

void sim_host_count(int more) {
    n_waiting += (uint64_t)more;
    if (more < 0) return;
    sim_queue_note_call();
    pthread_cond_signal(&sim.work);
}

void sim_host_hand(struct sim_queue *queue) {
    struct sim_queue **last = &jobs;
    while (*last != NULL) last = &(*last)->next_job;
    *last = queue;
    queue->next_job = NULL;
    queue->running = true;
    pthread_cond_signal(&sim.work);
}

void sim_host_wait(bool briefly) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    now = after_idling(now);
    sim_wait(&sim.turn, briefly ? &now : NULL);
}

/* The function is host code, and whatever it tells the rest of the program, by means that nobody
 * here can see, it tells behind all that was before it in its queue. So the host knows that now. */
static void run_job(struct sim_queue *queue) {
    struct sim_op *op = sim_queue_head(queue);
    void (*function)(void *) = op->host.function;
    void *data = op->host.data;
    sim_record_learn(op->host.before);
    if (queue->time < op->queued_at) queue->time = op->queued_at;
    sim_log("\"run\":\"host\",\"queue\":%" PRIu64 ",\"seq\":%" PRIu64 ",\"at\":%" PRIu64,
            queue->ordinal, queue->done + 1, queue->time);
    running = (struct sim_tick){queue->component, queue->done + 1};
    sim_mark_host_function(true);
    sim_unlock();
    function(data);
    sim_lock();
    sim_mark_host_function(false);
    op = sim_queue_head(queue); /* the ring may have grown */
    op->command->drop(op);
    queue->running = false;
    sim_queue_pop(queue);
    pthread_cond_broadcast(&sim.turn);
}

/* Nothing behind it has run, so each wait that puts a command behind it is still there. */
static bool waits_for_it(const struct sim_op *op) {
    const struct sim_queue *other = sim_clock_queue(op->wait.component);
    const struct sim_clock *clock = op->wait.record != NULL ? &op->wait.record->clock
                                    : other != NULL         ? &other->clock
                                                            : NULL;
    if (op->wait.component == running.component) return op->wait.seq >= running.seq;
    return clock != NULL && sim_ticks_of(clock->ticks, running.component) >= running.seq;
}

bool sim_host_is_before(const struct sim_access *access) {
    struct sim_queue *queue = sim_clock_queue(access->component);
    if (!sim_in_host_function() || queue == NULL) return false;
    if (access->component == running.component) return access->seq > running.seq;
    for (uint64_t seq = queue->done + 1; seq <= access->seq; seq++) {
        const struct sim_op *op = sim_queue_op(queue, seq);
        if (op->command == &sim_wait_command && waits_for_it(op)) return true;
    }
    return false;
}

/* The host function that was queued first; all that must run before it is older still. */
static struct sim_queue *oldest(uint64_t *seq) {
    struct sim_queue *found = NULL;
    uint64_t order = UINT64_MAX;
    for (size_t i = 0; i < sim_active.n; i++) {
        struct sim_queue *queue = sim_active.at[i];
        if (queue->context->device->lost) continue;
        for (uint64_t at = queue->done + 1; at <= queue->seq; at++) {
            const struct sim_op *op = &queue->ops[at & (queue->capacity - 1)];
            if (op->command != &sim_host_command) continue;
            if (op->order < order) {
                found = queue;
                order = op->order;
                *seq = at;
            }
            break;
        }
    }
    return found;
}

static void idle(void) {
    uint64_t seq;
    struct sim_queue *queue = oldest(&seq);
    if (queue == NULL) return;
    sim.place = (struct sim_place){sim.calls, "idle", 0};
    sim_log("\"idle\":true,\"queue\":%" PRIu64 ",\"seq\":%" PRIu64, queue->ordinal, seq);
    if (sim_run_before(queue, seq) == 0) sim_host_hand(queue);
}

static bool is_over(struct timespec end) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
}

static void *serve(void *unused) {
    (void)unused;
    sim_lock();
    for (;;) {
        struct timespec end = after_idling(last_call);
        if (jobs != NULL) {
            struct sim_queue *queue = jobs;
            jobs = queue->next_job;
            run_job(queue);
        } else if (n_waiting == 0) {
            sim_wait(&sim.work, NULL);
        } else if (is_over(end)) {
            idle();
            clock_gettime(CLOCK_MONOTONIC, &last_call);
        } else {
            sim_wait(&sim.work, &end);
        }
    }
    return NULL;
}

/* Signals are the program's: its own threads get them. */
int sim_host_start(void) {
    sigset_t all, before;
    pthread_attr_t detached;
    pthread_t thread;
    if (has_thread) return 0;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    int code = pthread_create(&thread, &detached, serve, NULL);
    pthread_attr_destroy(&detached);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    has_thread = code == 0;
    return code == 0 ? 0 : ENOMEM;
}
