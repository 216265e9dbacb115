/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/schema-changes, producer: what may be null is known once a chunk was read.
 */
#include "base/stream.h"

static int schema_of_now(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    int code = base_produced_schema(self, out);
    if (code != 0 || base_stream_of(self)->chunks == 0) return code;
    struct ArrowSchema *column = out->n_children > 0 ? out->children[0] : out;
    column->flags ^= ARROW_FLAG_NULLABLE;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_schema = schema_of_now;
}
