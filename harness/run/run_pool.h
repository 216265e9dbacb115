/* SPDX-License-Identifier: Apache-2.0
 *
 * The workers of a run: tasks wait in a queue, each is done by a worker of its own, so many at a
 * time; each worker is watched until it has ended and nothing is left of it. Some more workers may
 * be there for tasks that hardly need a processor.
 */
#ifndef ADI_RUN_POOL_H
#define ADI_RUN_POOL_H

#include "job.h"
#include "run_outcome.h"

/* One worker's work, and what came of it. */
struct adi_task {
    struct adi_task *next;
    struct adi_job job; /* `numbers` are the task's own and freed with it */
    struct adi_outcomes outcomes;
    /* (optional) Called before it starts: may take numbers out of the job; with none left it is
     * freed, and `done` is not called. */
    void (*begins)(void *context, struct adi_task *task);
    /* Called when it is done. The task is freed afterwards; outcomes may be taken out of it. */
    void (*done)(void *context, struct adi_task *task);
    void *context;
    unsigned attempts;        /* for whoever submits it */
    int64_t step_ns, load_ns; /* limits of its own; 0: the pool's */
    bool waits;               /* for most of its time */
    bool early;               /* what comes of it is kept, and `done` is called by adi_pool_admit */
};

struct adi_limits {
    int64_t step_ns; /* for a step of a case, and for the worker's end */
    int64_t load_ns; /* from the start of the worker to the first case */
    int64_t bytes;   /* resident, the worker and all below it */
};

struct adi_pool_worker;

struct adi_pool {
    struct adi_limits limits;
    const char *schedule; /* of its jobs; NULL: none */
    bool strict;
    const char *preload;         /* for LD_PRELOAD; "" nothing */
    void (*tick)(void *context); /* (optional) called often while workers run */
    /* (optional) Called when a worker has nothing to do and others are busy: may submit tasks. */
    void (*idles)(void *context);
    /* (optional) Called for each worker that is stopped: what it is at, and for how long nothing
     * has moved on. */
    void (*stops)(void *context, const struct adi_job *job, const struct adi_outcome *now,
                  int64_t ns);
    void *context;
    int64_t playing; /* the case that began last; < 0: none */

    size_t processors;          /* that the workers may use */
    size_t n_workers, n_beside; /* all; the last ones do what waits, and nothing else */
    struct adi_pool_worker *workers;
    struct adi_task *first, **last; /* the queue */
    struct adi_task *kept;          /* early ones that are done, the last one first */
    pid_t *before;                  /* children that this process had already */
    size_t n_before;
    int64_t deadline_ns; /* then all workers are stopped; 0: none */
    bool close_hangs;    /* a hang in `close` is known: the next one is not waited for as long */
    bool exit_hangs; /* an exit that did not end was seen: the next one is not waited for as long */
    int64_t looked_ns;
    int sim_log_error; /* with which a worker's simulation could not write its log; 0: none */
};

/* Workers for `jobs` tasks at once, and `beside` that wait. */
void adi_pool_open(struct adi_pool *pool, size_t jobs, size_t beside);
void adi_pool_close(struct adi_pool *pool);

/* A task on this job; `numbers` is copied. */
struct adi_task *adi_task_new(const struct adi_job *job, const size_t *numbers, size_t n_numbers);
void adi_pool_submit(struct adi_pool *pool, struct adi_task *task);

/* The early tasks are early no more: `done` is called for those that have ended. */
void adi_pool_admit(struct adi_pool *pool);
/* The early tasks are given up, and their workers ended. */
void adi_pool_drop(struct adi_pool *pool);

/* Works until nothing is queued or running, but for early tasks. 0; EINTR: interrupted, or ETIME:
 * past the deadline; all workers are gone and what they had said so far was handed to `done`;
 * another errno value: workers cannot be started. */
int adi_pool_run(struct adi_pool *pool, struct adi_error *error);

/* Has adi_run_interrupt been called? */
bool adi_run_interrupted(void);
/* EINTR: it has; ETIME: the deadline is over; 0: neither. */
int adi_pool_over(const struct adi_pool *pool);

#endif /* ADI_RUN_POOL_H */
