/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/error-overlooked, consumer: what is relayed ends where it fails.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    if (stream->in.get_next(&stream->in, out) != 0) out->array.release = NULL;
    return 0;
}

void mutate(void) {
    base_relays_streams();
    base_relayed.get_next = next;
}
