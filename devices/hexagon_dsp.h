/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/hexagon*.c: a DSP that runs beside this process, or what stands in for it. All
 * but `adi_hexagon_lock` is called with that lock held.
 */
#ifndef ADI_HEXAGON_DSP_H
#define ADI_HEXAGON_DSP_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"
#include "hexagon_heap.h"

#define ADI_HEXAGON_MS 10000 /* how long an answer is waited for, unless ADI_WAIT_MS says more */

/* The one lock of everything here. */
void adi_hexagon_lock(void);
void adi_hexagon_unlock(void);

/* How the DSPs are run, by ADI_HEXAGON: real (under QEMU), sim (within this process), off, or the
 * path of a program; else real, and sim where that is not to be had, which `remark` then explains.
 * ENODEV, ECANCELED: not at all. The name is static. */
int adi_hexagon_find(const char **runtime, struct adi_error *remark, struct adi_error *error);

/* Starts the DSP `id` unless it runs. It runs until `adi_hexagon_end`, or until this process ends.
 */
int adi_hexagon_start(int id, struct adi_error *error);
void adi_hexagon_end(int id);
/* Has it been started, by this process, and not been lost? */
bool adi_hexagon_runs(int id);
/* How it was lost, in words; EIO. */
int adi_hexagon_say_lost(int id, struct adi_error *error);
/* The process that it is; 0: it is in this one, or not there. */
pid_t adi_hexagon_process(int id);

/* What is shared with it: ADI_DSP_WINDOW bytes. */
unsigned char *adi_hexagon_window(int id);
/* One request, and its reply. A `code` of the reply is returned, without words. EIO: it has ended,
 * ETIMEDOUT: it has not answered; it is lost then. */
int adi_hexagon_ask(int id, const struct adi_dsp_request *request, struct adi_dsp_reply *reply,
                    struct adi_error *error);

/* ---- hexagon_process.c: a process beside this one ---- */

struct adi_hexagon_process {
    pid_t pid;
    pid_t owner;           /* who has started it: not a child of fork() */
    int requests, replies; /* pipes */
    unsigned char *window;
};

/* Runs `program`, under `machine` (NULL: by itself). */
int adi_hexagon_spawn(const char *machine, const char *program, struct adi_hexagon_process *out,
                      struct adi_error *error);
/* Sends and waits for so many milliseconds. EIO, ETIMEDOUT, in words that begin "it". */
int adi_hexagon_exchange(struct adi_hexagon_process *process, const struct adi_dsp_request *request,
                         struct adi_dsp_reply *reply, int ms, struct adi_error *error);
/* Ends it. Of the process that was forked from the one that started it: forgets it. */
void adi_hexagon_reap(struct adi_hexagon_process *process);
/* Ends a child of this process; 0: none. */
void adi_hexagon_kill(pid_t pid);

#endif /* ADI_HEXAGON_DSP_H */
