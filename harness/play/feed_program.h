/* SPDX-License-Identifier: Apache-2.0
 *
 * What a producer does with the handler of an asynchronous consumer, and who goes on when:
 *
 *   2sttel 5>1 9>0   the consumer is to request two at once; on_schema, two tasks, the end and the
 *                    release; then the plan (turns_plan.h)
 *
 *   s on_schema   t on_next_task with a task, as soon as one is requested   e ... with NULL
 *   T the same, and extract_data will fail: once it has, the next call is on_error
 *   f on_error    l release
 *
 * Where the consumer cancels or answers an error, what is left is not called, but the release.
 * Threads: 0 the one that calls consume_async_finish, 1 the producer's, then the consumer's own.
 */
#ifndef ADI_FEED_PROGRAM_H
#define ADI_FEED_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "turns_plan.h"

#define ADI_FEED_OPERATIONS 6
#define ADI_FEED_PROGRAM    (8 + ADI_TURNS_TEXT) /* bytes of a text */

struct adi_feed_program {
    char operations[ADI_FEED_OPERATIONS + 1];
    int at_once;
    size_t batches, fails_at; /* of them that cannot be extracted, from 1; 0: none */
    bool fails, fails_first;  /* on_error, behind the batches or before on_schema */
    struct adi_turns_plan plan;
};

/* EINVAL: it is none that a producer may play; `*out` is undefined then. */
int adi_feed_program_read(const char *text, struct adi_feed_program *out);
/* Returns `text`. */
const char *adi_feed_program_write(const struct adi_feed_program *program,
                                   char text[ADI_FEED_PROGRAM]);

/* All there are, without a plan, the short ones first: no more is requested at once than there are
 * batches. NULL past the end. */
const char *adi_feed_program_at(size_t i);

#endif /* ADI_FEED_PROGRAM_H */
