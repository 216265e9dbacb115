/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/schema-changes, producer: the schema is there until a chunk has been asked for.
 */
#include <errno.h>

#include "base/stream.h"

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    return base_stream_of(self)->chunks > 0 ? EINVAL : base_produced_schema(self, out);
}

static const char *error(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return "the schema comes first";
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = error;
    base_produced.get_schema = schema;
}
