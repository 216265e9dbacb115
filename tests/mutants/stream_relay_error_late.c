/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-asked-without-error, consumer: after each chunk that is relayed, what was wrong is
 * asked for.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    int code = stream->in.get_next(&stream->in, out);
    (void)stream->in.get_last_error(&stream->in);
    return code;
}

void mutate(void) {
    base_relays_streams();
    base_relayed.get_next = next;
}
