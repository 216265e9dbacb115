/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/metadata-malformed, producer: a key of the metadata of a stream's schema has a negative
 * length.
 */
#include "base/stream.h"

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    int code = base_produced_schema(self, out);
    if (code == 0) out->metadata = "\1\0\0\0\377\377\377\377key\5\0\0\0value";
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_schema = schema;
}
