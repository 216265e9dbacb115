/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker as its parent sees it: a process, a log, an output.
 */
#ifndef ADI_RUN_SPAWN_H
#define ADI_RUN_SPAWN_H

#include <sys/types.h>

#include "job.h"
#include "log.h"
#include "run_capture.h"

struct adi_spawned {
    unsigned number; /* ADICHECK_WORKER in its environment; never used twice */
    pid_t pid;       /* and the id of its process group */
    int pidfd;       /* readable once it has ended; -1: this kernel has none */
    int64_t started_ns;
    struct adi_log *log;
    struct adi_log_reader reader;
    struct adi_capture output;
};

/* Starts a worker on the job, in a process group of its own, its input empty, its output in
 * `out->output`. `preload` goes in front of LD_PRELOAD; "" nothing. */
int adi_spawn(const struct adi_job *job, const char *preload, struct adi_spawned *out,
              struct adi_error *error);
/* From now on workers are this process once more, by fork, and not the program once more: they have
 * what the process has. `fork` is called as fork(2) is; NULL: as before. One thread. */
void adi_spawn_by(pid_t (*fork)(void));
/* Kills the worker and its process group. */
void adi_spawned_kill(const struct adi_spawned *spawned);
/* Gives back what belongs to a worker that has ended, and reaps it. */
void adi_spawned_free(struct adi_spawned *spawned);

#endif /* ADI_RUN_SPAWN_H */
