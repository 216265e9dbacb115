/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs: the last batch is not handed out.
 */
#include "base/async.h"

static struct ArrowArray ahead;

static int pull(struct base_stream *stream) {
    int code = ahead.release == NULL ? base_pull(stream) : 0;
    if (code != 0 || stream->has_ended) return code;
    if (ahead.release == NULL) ahead = stream->chunk;
    stream->chunk.release = NULL;
    code = base_pull(stream);
    struct ArrowArray next = stream->chunk;
    if (code != 0 || stream->has_ended)
        ahead.release(&ahead);
    else
        stream->chunk = ahead;
    if (code == 0 && !stream->has_ended) ahead = next;
    return code;
}

void mutate(void) {
    base_async.pull = pull;
    base_plays_async();
}
