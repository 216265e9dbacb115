/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer: the second chunk cannot be read, and the stream ends without a word
 * of it.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray made;
    if (base_stream_of(self)->chunks != 1) return base_produced_next(self, out);
    int code = base_produced_next(self, &made);
    if (code != 0) return code;
    if (made.array.release != NULL) made.array.release(&made.array);
    out->array.release = NULL;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
