/* SPDX-License-Identifier: Apache-2.0
 *
 * What a consumer does with an asynchronous producer, on two threads, and who goes on when:
 *
 *   rx|c 5>2 9>1    the first thread requests one batch and extracts a task, the second cancels;
 *                   then the plan (turns_plan.h)
 *
 *   r request(1)   R request(2)   x extract_data of the latest task, which is waited for
 *   c cancel
 *
 * Threads: 0 the one that hands over and does what is in front of `|`, 1 the producer's, 2 the one
 * that does what is behind it.
 */
#ifndef ADI_ASYNC_PROGRAM_H
#define ADI_ASYNC_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "turns_plan.h"

#define ADI_ASYNC_BATCHES    2                    /* of the stream */
#define ADI_ASYNC_OPERATIONS 6                    /* of both threads */
#define ADI_ASYNC_PROGRAM    (8 + ADI_TURNS_TEXT) /* bytes of a text */

struct adi_async_program {
    char first[ADI_ASYNC_OPERATIONS + 1], second[ADI_ASYNC_OPERATIONS + 1];
    struct adi_turns_plan plan;
};

/* EINVAL: it is none; `*out` is undefined then. */
int adi_async_program_read(const char *text, struct adi_async_program *out);
/* Returns `text`. */
const char *adi_async_program_write(const struct adi_async_program *program,
                                    char text[ADI_ASYNC_PROGRAM]);

/* A sample, without a schedule: all kinds of operations on one thread and on two, the short ones
 * first. NULL past the end. */
const char *adi_async_program_at(size_t i);

/* All that are legal, and that a producer can tell apart, the short ones first, up to
 * ADI_ASYNC_OPERATIONS. false: `*program` was the last one; to begin with, it is all 0.
 *  - Legal: in some order of the two threads each `x` gets a task, of a request before any cancel.
 *  - Which of the two threads is the first one, a producer cannot tell.
 *  - One batch at most is requested beyond those that there are, and one cancel made beyond the
 *    first: a further one is as the last one. */
bool adi_async_program_next(struct adi_async_program *program);

/* One part of all of something: "all", or the second of eight, "all 2/8". */
struct adi_async_part {
    unsigned number, of; /* from 1 */
};

/* false: it is neither. */
bool adi_async_part_read(const char *wanted, struct adi_async_part *part);

#endif /* ADI_ASYNC_PROGRAM_H */
