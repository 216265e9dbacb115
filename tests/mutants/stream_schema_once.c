/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/schema-changes, producer: the schema is given away, and is not there when it is asked for
 * once more.
 */
#include <errno.h>

#include "base/stream.h"

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->more != NULL) return EINVAL;
    int code = base_produced_schema(self, out);
    if (code == 0) stream->more = base_copy_bytes("given", 6);
    return code;
}

static const char *error(struct ArrowDeviceArrayStream *self) {
    (void)self;
    return "it failed";
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_last_error = error;
    base_produced.get_schema = schema;
}
