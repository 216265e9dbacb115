/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of host data in memory: what a stream on the CPU is made from, and what is read from one.
 * C stream interface.
 *
 * Nothing here is thread-safe; what a stream has given out is, as all arrays are.
 */
#ifndef ADI_BATCHES_H
#define ADI_BATCHES_H

#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "error.h"
#include "last_error.h"

struct adi_batch {
    struct ArrowArray array;
    int64_t times; /* how often a stream gives it; > 1: the chunks share its buffers */
};

/* Begins as {0}; owns all that it points to. */
struct adi_batches {
    struct ArrowSchema schema; /* released: it is not known, and get_schema answers EINVAL */
    struct adi_batch *batches;
    size_t count, room;
    struct adi_last_error schema_error; /* get_schema answers it, each time */
    struct adi_last_error error; /* get_next answers it, each time, where else the stream ends */
};

/* Appends an array, which is moved from. ENOMEM: `array` is untouched. */
int adi_batches_add(struct adi_batches *batches, struct ArrowArray *array, int64_t times,
                    struct adi_error *error);
/* Gives everything back; afterwards it is as it began. */
void adi_batches_release(struct adi_batches *batches);

/* A consumer of ArrowArrayStream: moves from `in`, reads its schema and its chunks to the end or
 * the first error, asks get_last_error after that error alone, releases the stream and puts all of
 * it into `*out`, which is overwritten. Where memory runs out, that is the error that `*out` has.
 * After an error of get_schema no chunk is asked for. */
void adi_batches_collect(struct ArrowArrayStream *in, struct adi_batches *out);

/* A producer of ArrowArrayStream. Moves from `batches`; the chunks are moved out, or share buffers
 * where `times` says so: then each is one allocation. get_schema can be called at any time and as
 * often as one likes. The text of an error ends with the next call. Chunks and schemas outlive the
 * stream. ENOMEM: `batches` and `*out` are untouched. */
int adi_batches_stream(struct adi_batches *batches, struct ArrowArrayStream *out,
                       struct adi_error *error);

#endif /* ADI_BATCHES_H */
