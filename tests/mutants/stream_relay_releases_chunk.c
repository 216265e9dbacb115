/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-at-move, consumer: a chunk is handed on as a copy of its structure, and released.
 */
#include "base/stream.h"

static int next(struct ArrowDeviceArrayStream *self, struct ArrowDeviceArray *out) {
    struct base_stream *stream = base_stream_of(self);
    struct ArrowDeviceArray chunk;
    int code = stream->in.get_next(&stream->in, &chunk);
    if (code != 0) return code;
    *out = chunk;
    if (chunk.array.release != NULL) chunk.array.release(&chunk.array);
    return 0;
}

void mutate(void) {
    base_relays_streams();
    base_relayed.get_next = next;
}
