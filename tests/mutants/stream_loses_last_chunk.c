/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer: the stream ends before its last chunk.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    if (code != 0 || out->array.release == NULL || base_stream_of(self)->chunks < 5) return code;
    out->array.release(&out->array);
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
