/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/schema-depends-on-stream, producer: the format is that of the schema of what the stream is
 * made of, and is freed with it.
 */
#include "base/stream.h"

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    int code = base_produced_schema(self, out);
    if (code == 0) out->format = base_stream_of(self)->schema.format;
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_schema = schema;
}
