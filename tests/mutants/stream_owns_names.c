/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/schema-depends-on-stream, producer: the format of the schema lies in memory of the stream.
 */
#include <string.h>

#include "base/stream.h"

static int schema(struct ArrowDeviceArrayStream *self, struct ArrowSchema *out) {
    struct base_stream *stream = base_stream_of(self);
    int code = base_produced_schema(self, out);
    if (code == 0 && stream->more == NULL) stream->more = base_copy_bytes("+s", 3);
    if (code == 0) out->format = stream->more;
    return code;
}

static void release(struct ArrowDeviceArrayStream *self) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->more != NULL) memset(stream->more, 0, 3);
    base_produced_release(self);
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_schema = schema;
    base_produced.release = release;
}
