/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine that is busy.
 */
#ifndef BUSY_H
#define BUSY_H

#include <stddef.h>
#include <sys/types.h>

/* This process, and what it starts from now on, runs on one processor only. */
void pin_to_one_processor(void);
/* So many processes, none of them below this one, that turn in a circle until they are stopped or
 * this process ends. */
void start_busy(pid_t *busy, size_t n);
void stop_busy(const pid_t *busy, size_t n);

#endif /* BUSY_H */
