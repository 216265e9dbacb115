/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker process: the same program, started by posix_spawn with a hidden first word, that loads
 * the adapter and plays a list of cases; or probes the adapter: what it is, and its roles on each
 * device.
 */
#ifndef ADI_WORKER_H
#define ADI_WORKER_H

/* The hidden command. argv: "adicheck" ADI_WORKER_COMMAND LOG_FD JOB_FD. The job (a memfd, so that
 * nothing is left behind) is written by the parent in the format of struct adi_job. */
#define ADI_WORKER_COMMAND "--adi-worker"

/* Who was made by fork ends without the exit handlers of the program that it was. */
void adi_worker_was_forked(void);

/* Runs the worker and never returns to the command line. */
int adi_worker_main(int argc, char **argv);

#endif /* ADI_WORKER_H */
