/* SPDX-License-Identifier: Apache-2.0
 *
 * A source of host batches for the producers of streams: an ArrowArrayStream of sample data
 * (sample.h), whose chunks and errors a plan lists. Where else batches come from, an
 * ArrowArrayStream of anybody's serves as well.
 */
#ifndef ADI_SOURCE_H
#define ADI_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "error.h"

/* Chunks of other shapes have other lengths, offsets and bitmaps, of other seeds other values and
 * dictionaries. "empty-null-buffers" has no buffers. */
struct adi_source_chunk {
    const char *shape; /* of sample_shapes.def */
    uint64_t seed;
    int64_t times; /* how often it comes in a row, sharing its buffers; 0 counts as 1 */
};

/* What a callback answers in place of 0. */
struct adi_source_error {
    int code;         /* 0: no error */
    const char *text; /* for get_last_error, of any length; NULL: none is said */
};

struct adi_source_plan {
    const char
        *type; /* of sample_types.def: "struct" for record batches, any for a chunked array */
    const struct adi_source_chunk *chunks;
    size_t n_chunks;
    struct adi_source_error schema_error; /* get_schema answers it */
    struct adi_source_error error;        /* get_next answers it after these chunks, for ever */
};

/* Makes the source. The plan is not needed afterwards. The schema is that of the first chunk, or of
 * the shape "empty" if there is none. EINVAL: there is no such sample, or a chunk is not of the
 * schema's type (a shape may nest a type in itself, or widen it). ENOMEM. On failure `*out` is
 * untouched. What the stream answers, and who owns what: batches.h. */
int adi_source_open(const struct adi_source_plan *plan, struct ArrowArrayStream *out,
                    struct adi_error *error);

#endif /* ADI_SOURCE_H */
