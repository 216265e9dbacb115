/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/next-after-end, producer: behind the end there is a chunk again.
 */
#include "base/stream.h"

/* The last one, kept for that. */
static struct ArrowDeviceArray kept;

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->chunks < 0 && kept.array.release != NULL) {
        *out = kept;
        kept.array.release = NULL;
        return 0;
    }
    int code = base_produced_next(self, out);
    if (code == 0 && out->array.release == NULL) stream->chunks = -1;
    if (code != 0 || stream->chunks != 1 || kept.array.release != NULL) return code;
    kept = *out;
    return base_array_copy(&stream->schema, &kept.array, &out->array);
}

static void end(struct ArrowDeviceArrayStream *self) {
    if (kept.array.release != NULL) kept.array.release(&kept.array);
    base_produced_release(self);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
    base_produced.release = end;
}
