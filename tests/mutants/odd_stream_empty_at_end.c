/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: a chunk without rows comes before the end.
 */
#include "base/stream.h"

static void release(struct ArrowArray *self) {
    self->release = NULL;
}

/* As an int32 has it: other types are not played with this. */
static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    static const void *no_buffers[2];
    struct base_stream *stream = base_stream_of(self);
    if (stream->chunks < 0) {
        out->array.release = NULL;
        return 0;
    }
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release != NULL) return code;
    stream->chunks = -1;
    *out = (struct ArrowDeviceArray){.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    out->array = (struct ArrowArray){
        .n_buffers = 2, .buffers = (const void **)no_buffers, .release = release};
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
