/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: once the source has failed, every callback answers the same error.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    int code = base_produced_next(self, out);
    if (code != 0) base_stream_of(self)->chunks = -code;
    return code;
}

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    const int64_t chunks = base_stream_of(self)->chunks;
    return chunks < 0 ? (int)-chunks : base_produced_schema(self, out);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
    base_produced.get_schema = schema;
}
