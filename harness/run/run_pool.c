/* SPDX-License-Identifier: Apache-2.0 */
#include "run_pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "pool_worker.h"
#include "process.h"
#include "processors.h"
#include "run.h"
#include "run_need.h"

#define TICK_MS       5
#define LOOK_BELOW_NS INT64_C(50000000) /* between two looks at the processes below workers */

static volatile sig_atomic_t interrupted;

void adi_run_interrupt(void) {
    interrupted = 1;
}

void adi_run_interrupt_no_more(void) {
    interrupted = 0;
}

bool adi_run_interrupted(void) {
    return interrupted != 0;
}

int adi_pool_over(const struct adi_pool *pool) {
    if (interrupted) return EINTR;
    return pool->deadline_ns != 0 && adi_now_ns() > pool->deadline_ns ? ETIME : 0;
}

void adi_pool_open(struct adi_pool *pool, size_t jobs, size_t beside) {
    pid_t children[ADI_PROCESSES];
    pool->processors = adi_processors();
    pool->n_workers = jobs + beside;
    pool->n_beside = beside;
    pool->workers = adi_need(calloc(pool->n_workers, sizeof *pool->workers));
    pool->last = &pool->first;
    pool->playing = -1;
    /* What workers leave behind comes to us; what we had before stays what it was. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pool->n_before = adi_process_children(getpid(), children, ADI_PROCESSES);
    pool->before = adi_need(malloc((pool->n_before + 1) * sizeof *pool->before));
    memcpy(pool->before, children, pool->n_before * sizeof *pool->before);
}

struct adi_task *adi_task_new(const struct adi_job *job, const size_t *numbers, size_t n_numbers) {
    struct adi_task *task = adi_need(calloc(1, sizeof *task));
    size_t *own = adi_need(malloc((n_numbers + 1) * sizeof *own));
    if (n_numbers > 0) memcpy(own, numbers, n_numbers * sizeof *own);
    task->job = *job;
    task->job.numbers = own;
    task->job.n_numbers = n_numbers;
    task->outcomes.crash_rule = -1;
    task->outcomes.crash_party = ADI_BOTH;
    if (job->mode == ADI_JOB_PLAY) {
        task->outcomes.expected = own;
        task->outcomes.n_expected = n_numbers;
    }
    return task;
}

static void free_task(struct adi_task *task) {
    adi_outcomes_clear(&task->outcomes);
    free((void *)(uintptr_t)task->job.numbers);
    free(task);
}

void adi_pool_submit(struct adi_pool *pool, struct adi_task *task) {
    task->outcomes.strict = pool->strict;
    task->job.step_ns = task->step_ns != 0 ? task->step_ns : pool->limits.step_ns;
    if (pool->schedule != NULL)
        snprintf(task->job.schedule, sizeof task->job.schedule, "%s", pool->schedule);
    task->next = NULL;
    *pool->last = task;
    pool->last = &task->next;
}

static void free_tasks(struct adi_task *first) {
    for (struct adi_task *task = first, *next; task != NULL; task = next) {
        next = task->next;
        free_task(task);
    }
}

static size_t count_busy(const struct adi_pool *pool) {
    size_t busy = 0;
    for (size_t i = 0; i < pool->n_workers; i++)
        busy += pool->workers[i].state != ADI_POOL_WORKER_FREE;
    return busy;
}

/* Is there something to wait for? Early tasks are, once the run is over. */
static bool is_at_work(const struct adi_pool *pool) {
    if (adi_pool_over(pool) != 0) return count_busy(pool) > 0;
    for (size_t i = 0; i < pool->n_workers; i++)
        if (pool->workers[i].state != ADI_POOL_WORKER_FREE && !pool->workers[i].task->early)
            return true;
    for (const struct adi_task *task = pool->first; task != NULL; task = task->next)
        if (!task->early) return true;
    return false;
}

/* Where in the queue the first one is that waits, or does not; NULL: nowhere. */
static struct adi_task **find_first(struct adi_pool *pool, bool waits, bool early) {
    struct adi_task **at = &pool->first;
    while (*at != NULL && ((*at)->waits != waits || (*at)->early != early)) at = &(*at)->next;
    return *at == NULL ? NULL : at;
}

static struct adi_task *take(struct adi_pool *pool, struct adi_task **at) {
    struct adi_task *task = *at;
    *at = task->next;
    if (task->next == NULL) pool->last = at;
    return task;
}

/* The first task for a worker of this place that has something to do; early ones come last. */
static struct adi_task **find_next(struct adi_pool *pool, size_t place) {
    const bool is_beside = place >= pool->n_workers - pool->n_beside;
    for (;;) {
        struct adi_task **at = NULL;
        for (int early = 0; early < 2 && at == NULL; early++) {
            if (!is_beside) at = find_first(pool, false, early);
            if (at == NULL) at = find_first(pool, true, early);
        }
        if (at == NULL) return NULL;
        if ((*at)->begins != NULL) (*at)->begins((*at)->context, *at);
        if ((*at)->begins == NULL || (*at)->job.n_numbers > 0) return at;
        free_task(take(pool, at));
    }
}

static struct adi_task **find_or_ask(struct adi_pool *pool, size_t place) {
    struct adi_task **at = find_next(pool, place);
    if (at != NULL || pool->idles == NULL || count_busy(pool) == 0) return at;
    pool->idles(pool->context);
    return find_next(pool, place);
}

/* Starts what can be started. EAGAIN is the machine's: as long as a worker runs it may pass. */
static int fill(struct adi_pool *pool, struct adi_error *error) {
    for (size_t i = pool->n_workers; i > 0 && adi_pool_over(pool) == 0 && is_at_work(pool); i--) {
        struct adi_pool_worker *worker = &pool->workers[i - 1];
        if (worker->state != ADI_POOL_WORKER_FREE) continue;
        struct adi_task **at = find_or_ask(pool, i - 1);
        if (at == NULL) continue;
        *worker = (struct adi_pool_worker){.task = *at};
        int code = adi_spawn(&worker->task->job, pool->preload, &worker->process, error);
        if (code != 0) return count_busy(pool) > 0 ? 0 : code;
        worker->state = ADI_POOL_WORKER_RUNS;
        take(pool, at);
    }
    return 0;
}

static void pause_for_workers(const struct adi_pool *pool) {
    struct pollfd *ends = adi_need(calloc(pool->n_workers, sizeof *ends));
    for (size_t i = 0; i < pool->n_workers; i++) {
        const struct adi_pool_worker *worker = &pool->workers[i];
        ends[i] = (struct pollfd){
            .fd = worker->state == ADI_POOL_WORKER_RUNS ? worker->process.pidfd : -1,
            .events = POLLIN};
    }
    poll(ends, pool->n_workers, TICK_MS);
    free(ends);
}

static void finish(struct adi_pool *pool, struct adi_pool_worker *worker) {
    struct adi_task *task = worker->task;
    adi_pool_worker_conclude(pool, worker);
    adi_spawned_free(&worker->process);
    worker->state = ADI_POOL_WORKER_FREE;
    if (task->outcomes.sim_log_error != 0) pool->sim_log_error = task->outcomes.sim_log_error;
    if (task->early) {
        task->next = pool->kept;
        pool->kept = task;
        return;
    }
    if (task->done != NULL) task->done(task->context, task);
    free_task(task);
}

static void step(struct adi_pool *pool) {
    int64_t now = adi_now_ns();
    bool over = adi_pool_over(pool) != 0;
    bool look_below = now - pool->looked_ns > LOOK_BELOW_NS, any_ended = false;
    if (look_below) pool->looked_ns = now;
    for (size_t i = 0; i < pool->n_workers; i++) {
        struct adi_pool_worker *worker = &pool->workers[i];
        if (worker->state == ADI_POOL_WORKER_RUNS && over) adi_pool_worker_stop(pool, worker);
        if (worker->state == ADI_POOL_WORKER_RUNS) adi_pool_worker_watch(pool, worker, look_below);
        if (worker->state == ADI_POOL_WORKER_ENDED) any_ended = true;
        if (worker->state == ADI_POOL_WORKER_RUNS && worker->task->outcomes.n_begun > 0 &&
            !worker->task->early)
            pool->playing = adi_outcomes_now(&worker->task->outcomes)->index;
    }
    if (!any_ended) return;
    adi_pool_collect(pool);
    for (size_t i = 0; i < pool->n_workers; i++) {
        struct adi_pool_worker *worker = &pool->workers[i];
        if (worker->state == ADI_POOL_WORKER_ENDED && !adi_pool_worker_has_leftovers(pool, worker))
            finish(pool, worker);
    }
}

/* ---- early tasks ---- */

void adi_pool_admit(struct adi_pool *pool) {
    struct adi_task *kept = NULL;
    for (struct adi_task *task = pool->first; task != NULL; task = task->next) task->early = false;
    for (size_t i = 0; i < pool->n_workers; i++)
        if (pool->workers[i].state != ADI_POOL_WORKER_FREE) pool->workers[i].task->early = false;
    while (pool->kept != NULL) { /* in the order in which they ended */
        struct adi_task *task = pool->kept;
        pool->kept = task->next;
        task->next = kept;
        kept = task;
    }
    for (struct adi_task *task = kept; task != NULL; task = task->next)
        task->done(task->context, task);
    free_tasks(kept);
}

void adi_pool_drop(struct adi_pool *pool) {
    for (struct adi_task **at = &pool->first; *at != NULL;)
        if ((*at)->early)
            free_task(take(pool, at));
        else
            at = &(*at)->next;
    free_tasks(pool->kept);
    pool->kept = NULL;
    for (size_t i = 0; i < pool->n_workers; i++) {
        struct adi_pool_worker *worker = &pool->workers[i];
        if (worker->state == ADI_POOL_WORKER_FREE || !worker->task->early) continue;
        worker->task->early = false;
        worker->task->done = NULL;
        if (worker->state == ADI_POOL_WORKER_RUNS) adi_pool_worker_kill(worker, ADI_END_STOPPED, 0);
    }
}

/* ---- all of it ---- */

void adi_pool_close(struct adi_pool *pool) {
    adi_pool_drop(pool);
    while (count_busy(pool) > 0) {
        pause_for_workers(pool);
        step(pool);
    }
    free_tasks(pool->first);
    free(pool->workers);
    free(pool->before);
}

int adi_pool_run(struct adi_pool *pool, struct adi_error *error) {
    for (;;) {
        int code = fill(pool, error);
        if (code != 0) return code;
        if (!is_at_work(pool)) break;
        pause_for_workers(pool);
        step(pool);
        if (pool->tick != NULL) pool->tick(pool->context);
    }
    return adi_pool_over(pool);
}
