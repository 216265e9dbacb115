/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/next-after-end, producer: who asks behind the end is told nothing.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->chunks < 0) return 0;
    int code = base_produced_next(self, out);
    if (code == 0 && out->array.release == NULL) stream->chunks = -1;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
