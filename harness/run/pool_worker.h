/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker in the pool, from its start until nothing is left of it: it runs, it has ended, what it
 * left behind is given a moment and then killed.
 */
#ifndef ADI_POOL_WORKER_H
#define ADI_POOL_WORKER_H

#include <signal.h>

#include "run_pool.h"
#include "run_spawn.h"
#include "watchdog.h"

enum adi_pool_worker_state {
    ADI_POOL_WORKER_FREE,
    ADI_POOL_WORKER_RUNS,
    ADI_POOL_WORKER_ENDED, /* the process is a zombie; what is below it may go on for a moment */
};

/* Why a worker came to its end. */
enum adi_end {
    ADI_END_ITSELF,
    ADI_END_TIME,
    ADI_END_STARVED, /* it got no processor */
    ADI_END_LONG,    /* the case moved on, but for too long */
    ADI_END_MEMORY,
    ADI_END_PROCESSES,
    ADI_END_DAMAGED, /* it wrote over its log */
    ADI_END_STOPPED, /* the run was interrupted */
};

struct adi_pool_worker {
    enum adi_pool_worker_state state;
    struct adi_task *task;
    struct adi_spawned process;
    struct adi_watchdog watchdog;
    enum adi_end end;
    int64_t killed_mark_ns; /* when it had last moved on when it was killed */
    int64_t killed_value;   /* MB or processes that were too many, ns that were too long */
    siginfo_t status;
    int64_t ended_ns;
};

/* Looks at a worker that runs: takes what its log says, kills it if it is past a limit, and moves
 * it on if it has ended. */
void adi_pool_worker_watch(struct adi_pool *pool, struct adi_pool_worker *worker, bool look_below);
/* The run is over: says what it is at (adi_pool.stops) and kills it. */
void adi_pool_worker_stop(const struct adi_pool *pool, struct adi_pool_worker *worker);
/* Kills it for this reason. */
void adi_pool_worker_kill(struct adi_pool_worker *worker, enum adi_end end, int64_t value);

/* Says in the outcomes how the worker came to its end, against the case at hand. */
void adi_pool_worker_conclude(struct adi_pool *pool, struct adi_pool_worker *worker);

/* Looks at what workers that have ended left running: blames it on the case that made it once
 * its moment is over, and kills it. */
void adi_pool_collect(struct adi_pool *pool);
/* Is anything left of this worker? */
bool adi_pool_worker_has_leftovers(const struct adi_pool *pool,
                                   const struct adi_pool_worker *worker);

#endif /* ADI_POOL_WORKER_H */
