/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: that it does not have the device of a stream is found at the first chunk, which is
 * released unread.
 */
#include "base/stream.h"
#include <errno.h>

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct ArrowDeviceArray chunk;
    if (!base_is_foreign) return base_copied_next(self, out);
    struct base_stream *stream = (struct base_stream *)self->private_data;
    int code = stream->in.get_next(&stream->in, &chunk);
    if (code == 0 && chunk.array.release != NULL) chunk.array.release(&chunk.array);
    return code == 0 ? ENOTSUP : code;
}

static const char *error(struct ArrowArrayStream *self) {
    return base_is_foreign ? "no such device" : base_copied_error(self);
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = base_consume_any_stream;
    base_copied.get_next = next;
    base_copied.get_last_error = error;
}
