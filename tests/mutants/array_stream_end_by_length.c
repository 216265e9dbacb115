/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/end-overlooked, consumer: an ArrowArrayStream ends with a chunk of length 0.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    struct ArrowSchema schema;
    struct ArrowArray host;
    int code = base_produced_schema(self, &schema);
    if (code != 0) return code;
    schema.release(&schema);
    code = stream->from.get_next(&stream->from, &host);
    if (code != 0) return code;
    *out = (struct ArrowDeviceArray){.device_id = -1, .device_type = ARROW_DEVICE_CPU};
    if (host.length == 0) {
        host.release(&host);
        return 0;
    }
    code = base_array_copy(&stream->schema, &host, &out->array);
    host.release(&host);
    return code;
}

void mutate(void) {
    base_plays_streams(ADI_PRODUCES_STREAM | ADI_ARRAY_STREAMS);
    base_produced.get_next = next;
}
