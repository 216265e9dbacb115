/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: each chunk is cut into two, of which the second has an offset.
 */
#include <stdlib.h>

#include "base/stream.h"

/* The second half is read once more: the chunk is held until then. */
struct held {
    struct ArrowDeviceArray chunk;
};

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    struct held *held = stream->more;
    if (held != NULL) {
        *out = held->chunk;
        free(held);
        stream->more = NULL;
        return 0;
    }
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release == NULL || out->array.length < 2) return code;
    const int64_t half = out->array.length / 2;
    held = calloc(1, sizeof *held);
    if (held == NULL) return 0;
    held->chunk = *out;
    code = base_array_copy(&stream->schema, &out->array, &held->chunk.array);
    if (code != 0) {
        free(held);
        return 0;
    }
    held->chunk.array.offset += half;
    held->chunk.array.length -= half;
    held->chunk.array.null_count = out->array.null_count == 0 ? 0 : -1;
    out->array.length = half;
    out->array.null_count = held->chunk.array.null_count;
    stream->more = held;
    return 0;
}

static void release(struct ArrowDeviceArrayStream *self) {
    struct held *held = base_stream_of(self)->more;
    if (held != NULL) held->chunk.array.release(&held->chunk.array);
    base_produced_release(self);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
    base_produced.release = release;
}
