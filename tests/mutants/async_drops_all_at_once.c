/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs: within the hand-over the end is told, and no batch before it.
 */
#include "base/async.h"

static int pull(struct base_stream *stream) {
    int code = base_pull(stream);
    while (code == 0 && !stream->has_ended) {
        stream->chunk.release(&stream->chunk);
        code = base_pull(stream);
    }
    return code;
}

void mutate(void) {
    base_async.pull = pull;
    base_async.within = true;
    base_plays_async();
}
