/* SPDX-License-Identifier: Apache-2.0
 *
 * Host functions run on a thread of the engine, as they do in the interfaces that are simulated: a
 * program may hold a lock while it queues one that takes the same lock.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "queue.h"

static bool has_thread;
static struct sim_tick running; /* of the one that runs */
static struct sim_site queued;  /* by what it was */
static struct sim_tick slow;    /* of the last one that a touch has waited for in vain */

/* Calls what is number `seq` of the queue, with the lock open, unless that was done. */
static void call(struct sim_queue *queue, uint64_t seq, int code) {
    struct sim_op *op = sim_queue_op(queue, seq), copy = *op;
    op->host.function = NULL;
    op->host.callback = NULL;
    running = (struct sim_tick){queue->component, seq};
    queued = copy.site;
    queue->running = true;
    sim_mark_host_function(true);
    sim_unlock();
    if (copy.host.callback != NULL)
        copy.host.callback(copy.host.data, code);
    else
        copy.host.function((void *)copy.host.data[0]);
    sim_lock();
    sim_mark_host_function(false);
    queue->running = false;
}

/* The function is host code, and whatever it tells the rest of the program, by means that nobody
 * here can see, it tells behind all that was before it in its queue. So the host knows that now. */
static void run_job(struct sim_queue *queue) {
    struct sim_op *op = sim_queue_head(queue);
    sim_record_learn(op->host.before);
    if (queue->time < op->queued_at) queue->time = op->queued_at;
    sim_log("\"run\":\"host\",\"queue\":%" PRIu64 ",\"seq\":%" PRIu64 ",\"at\":%" PRIu64,
            queue->ordinal, queue->done + 1, queue->time);
    call(queue, queue->done + 1, 0);
    op = sim_queue_head(queue); /* the ring may have grown */
    op->command->drop(op);
    sim_queue_pop(queue);
    pthread_cond_broadcast(&sim.turn);
}

/* Nothing behind it has run, so each wait that puts a command behind it is still there. */
static bool waits_for(const struct sim_op *op, struct sim_tick function) {
    const struct sim_clock *clock =
        op->wait.record != NULL ? &op->wait.record->clock : &op->wait.clock;
    if (op->wait.component == function.component) return op->wait.seq >= function.seq;
    return sim_ticks_of(clock->ticks, function.component) >= function.seq;
}

static bool is_behind(const struct sim_access *access, struct sim_tick function) {
    struct sim_queue *queue = sim_clock_queue(access->component);
    if (queue == NULL) return false;
    if (access->component == function.component) return access->seq > function.seq;
    for (uint64_t seq = queue->done + 1; seq <= access->seq; seq++) {
        const struct sim_op *op = sim_queue_op(queue, seq);
        if (op->command == &sim_wait_command && waits_for(op, function)) return true;
    }
    return false;
}

bool sim_host_is_before(const struct sim_access *access) {
    if (sim_in_host_function()) return is_behind(access, running);
    for (size_t i = 0; i < sim_active.n && sim_jobs.n_waiting > 0; i++) {
        struct sim_queue *queue = sim_active.at[i];
        uint64_t seq = sim_host_first(queue);
        if (seq != 0 && is_behind(access, (struct sim_tick){queue->component, seq})) return true;
    }
    return false;
}

/* Names of calls are static, and so are these: they are kept where violations are counted. */
struct sim_site sim_host_site(void) {
    static struct {
        const char *of;
        char name[96];
    } names[32];
    const size_t n = sizeof names / sizeof *names;
    struct sim_site site = {queued.call, "a host function", sim_party()};
    size_t i = 0;
    while (i < n && names[i].of != NULL && names[i].of != queued.name) i++;
    if (i == n) return site;
    if (names[i].of == NULL)
        snprintf(names[i].name, sizeof names[i].name, "a host function of %s", queued.name);
    names[i].of = queued.name;
    site.name = names[i].name;
    return site;
}

static bool is_slow(void) {
    const struct sim_queue *queue = sim_clock_queue(slow.component);
    return queue != NULL && queue->done < slow.seq;
}

/* Once for each function: who fills many pages would wait at each. */
void sim_host_let_end(const struct sim_access *access) {
    uint64_t before;
    int code = 0;
    if (sim_in_host_function() || sim_jobs.n_waiting == 0 || is_slow()) return;
    do {
        before = sim_jobs.n_waiting;
        code = sim_run_towards(access->component, access->seq);
    } while (code == EAGAIN && sim_jobs.n_waiting < before);
    if (code == EAGAIN) slow = running;
}

/* The one that was queued first; all that must run before it is older still. `lost`: on devices
 * that are. */
static struct sim_queue *oldest(bool lost, uint64_t *seq) {
    struct sim_queue *found = NULL;
    uint64_t order = UINT64_MAX;
    for (size_t i = 0; i < sim_active.n; i++) {
        struct sim_queue *queue = sim_active.at[i];
        uint64_t at = queue->context->device->lost == lost ? sim_host_first(queue) : 0;
        const struct sim_op *op = sim_queue_op(queue, at);
        if (op == NULL || op->order >= order) continue;
        found = queue;
        order = op->order;
        *seq = at;
    }
    return found;
}

static bool call_lost(void) {
    uint64_t seq;
    struct sim_queue *queue = sim_jobs.any_lost ? oldest(true, &seq) : NULL;
    if (queue == NULL) return false;
    call(queue, seq, EOWNERDEAD);
    pthread_cond_broadcast(&sim.turn);
    return true;
}

static void idle(void) {
    uint64_t seq;
    struct sim_queue *queue = oldest(false, &seq);
    if (queue == NULL) return;
    sim.site = (struct sim_site){sim.calls, "idle", 0};
    sim_log("\"idle\":true,\"queue\":%" PRIu64 ",\"seq\":%" PRIu64, queue->ordinal, seq);
    queue->users++;
    bool is_next = sim_run_before(queue, seq) == 0 && queue->done + 1 == seq && !queue->running;
    if (is_next && !queue->context->device->lost) sim_run_head(queue);
    queue->users--;
    sim_queue_tidy(queue);
}

static bool is_over(struct timespec end) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
}

/* It ends when there is nothing for it to do, so that a program ends with its own last thread. */
static void *serve(void *unused) {
    (void)unused;
    sim_lock();
    for (;;) {
        struct timespec end = sim_host_after_idling(sim_jobs.last_call);
        if (sim_jobs.first != NULL) {
            struct sim_queue *queue = sim_jobs.first;
            sim_jobs.first = queue->next_job;
            run_job(queue);
        } else if (call_lost()) {
            continue;
        } else if (!is_over(end)) {
            sim_wait(&sim.work, &end);
        } else if (sim_jobs.n_waiting > 0) {
            idle();
            clock_gettime(CLOCK_MONOTONIC, &sim_jobs.last_call);
        } else {
            break;
        }
    }
    has_thread = false;
    sim_unlock();
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
