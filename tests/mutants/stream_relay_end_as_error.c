/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/end-overlooked, consumer: the end of what is relayed comes out as an error.
 */
#include <errno.h>

#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    struct ArrowDeviceArray chunk;
    int code = stream->in.get_next(&stream->in, &chunk);
    if (code != 0) return code;
    if (chunk.array.release == NULL) return EIO;
    *out = chunk;
    return 0;
}

void mutate(void) {
    base_relays_streams();
    base_relayed.get_next = next;
    base_relayed.get_last_error = base_error_silent;
}
