/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd but legal: that it does not have the device of a stream is found at the first chunk, which is
 * released unread.
 */
#include <errno.h>
#include <stdbool.h>

#include "base/stream.h"

static bool is_unknown;

static int next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    struct ArrowDeviceArray chunk;
    if (!is_unknown) return base_copied_next(self, out);
    struct base_stream *stream = (struct base_stream *)self->private_data;
    int code = stream->in.get_next(&stream->in, &chunk);
    if (code == 0 && chunk.array.release != NULL) chunk.array.release(&chunk.array);
    return code == 0 ? ENOTSUP : code;
}

static const char *error(struct ArrowArrayStream *self) {
    return is_unknown ? "no such device" : base_copied_error(self);
}

static int consume(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                   struct ArrowArrayStream *host_out) {
    is_unknown = in->release != NULL && in->device_type != ARROW_DEVICE_CPU;
    struct ArrowDeviceArrayStream taken = *in;
    taken.device_type = ARROW_DEVICE_CPU;
    int code = base_consume_stream(self, &taken, host_out);
    if (code != 0) return code;
    ((struct base_stream *)host_out->private_data)->in.device_type = in->device_type;
    in->release = NULL;
    return 0;
}

void mutate(void) {
    base_plays_streams(ADI_CONSUMES_STREAM | ADI_ARRAY_STREAMS);
    base.adapter.consume_stream = consume;
    base_copied.get_next = next;
    base_copied.get_last_error = error;
}
