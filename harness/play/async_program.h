/* SPDX-License-Identifier: Apache-2.0
 *
 * What a consumer does with an asynchronous producer, on two threads, and who goes on when:
 *
 *   rx|c 5>2 9>1    the first thread requests one batch and extracts a task, the second cancels;
 *                   before the 5th point thread 2 goes on, before the 9th thread 1 (turns.h)
 *   rx|c ~17        the same, by priorities that are drawn from 17
 *
 *   r request(1)   R request(2)   x extract_data of the latest task, which is waited for
 *   c cancel
 *
 * Threads: 0 the one that hands over and does what is in front of `|`, 1 the producer's, 2 the one
 * that does what is behind it.
 */
#ifndef ADI_ASYNC_PROGRAM_H
#define ADI_ASYNC_PROGRAM_H

#include <stddef.h>

#include "turns.h"

#define ADI_ASYNC_OPERATIONS 6  /* of both threads */
#define ADI_ASYNC_PROGRAM    64 /* bytes of a text */

struct adi_async_program {
    char first[ADI_ASYNC_OPERATIONS + 1], second[ADI_ASYNC_OPERATIONS + 1];
    struct adi_turns_plan plan;
};

/* EINVAL: it is none; `*out` is undefined then. */
int adi_async_program_read(const char *text, struct adi_async_program *out);
/* Returns `text`. */
const char *adi_async_program_write(const struct adi_async_program *program,
                                    char text[ADI_ASYNC_PROGRAM]);

/* Those that are tried, without a schedule: all kinds of operations on one thread and on two, the
 * short ones first. NULL past the end. */
const char *adi_async_program_at(size_t i);

#endif /* ADI_ASYNC_PROGRAM_H */
