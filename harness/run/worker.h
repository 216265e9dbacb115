/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker process: the same program, started by posix_spawn with a hidden first word, that loads
 * the adapter and plays a list of cases; or probes the adapter: what it is, and its roles on each
 * device.
 */
#ifndef ADI_WORKER_H
#define ADI_WORKER_H

#include "adapter.h"
#include "rule.h"

/* The hidden command. argv: "adicheck" ADI_WORKER_COMMAND LOG_FD JOB_FD. The job (a memfd, so that
 * nothing is left behind) is written by the parent in the format of struct adi_job. */
#define ADI_WORKER_COMMAND "--adi-worker"

/* Who was made by fork ends without the exit handlers of the program that it was. */
void adi_worker_was_forked(void);

/* For an adapter's `open`, which has been given this: where it calls code that is one party's
 * alone, what ends the process from now on is that party's; ADI_BOTH: of whoever it may be. */
void adi_worker_charge(const struct adi_host *host, enum adi_party party);

/* Runs the worker and never returns to the command line. */
int adi_worker_main(int argc, char **argv);

#endif /* ADI_WORKER_H */
