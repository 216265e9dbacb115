/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released, consumer: the first chunk is not released.
 */
#include "base/stream.h"

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct base_stream *stream = base_copy_of(self);
    struct ArrowDeviceArray chunk;
    struct ArrowSchema schema;
    if (stream->chunks > 0) return base_copied_next(self, out);
    int code = base_copied_schema(self, &schema);
    if (code != 0) return code;
    schema.release(&schema);
    code = stream->in.get_next(&stream->in, &chunk);
    if (code != 0) return code;
    stream->chunks++;
    if (chunk.array.release != NULL) return base_array_copy(&stream->schema, &chunk.array, out);
    out->release = NULL;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base_copied.get_next = next;
}
