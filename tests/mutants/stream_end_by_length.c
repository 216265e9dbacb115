/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/end-overlooked, consumer: a chunk of length 0 is taken for the end, and the end for a
 * chunk.
 */
#include <stdbool.h>

#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct base_stream *stream = base_copy_of(self);
    struct ArrowSchema schema;
    struct ArrowDeviceArray chunk;
    int code = base_copied_schema(self, &schema);
    if (code != 0) return code;
    schema.release(&schema);
    do {
        code = stream->in.get_next(&stream->in, &chunk);
        if (code != 0) return code;
        if (chunk.array.length != 0) break;
        chunk.array.release(&chunk.array);
    } while (true);
    code = base_array_copy(&stream->schema, &chunk.array, out);
    chunk.array.release(&chunk.array);
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
