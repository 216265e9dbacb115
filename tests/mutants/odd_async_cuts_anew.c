/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Each batch comes as two of half the rows.
 */
#include "base/async.h"

static struct ArrowArray rest; /* the second half */

static void opened(struct base_stream *stream) {
    (void)stream;
    if (rest.release != NULL) rest.release(&rest);
}

static int cut(struct base_stream *stream) {
    int64_t half = stream->chunk.length / 2;
    if (half == 0) return 0;
    int code = base_array_copy(&stream->schema, &stream->chunk, &rest);
    if (code != 0) return code;
    stream->chunk.length = half;
    rest.offset += half;
    rest.length -= half;
    stream->chunk.null_count = rest.null_count = -1;
    return 0;
}

static int pull(struct base_stream *stream) {
    if (rest.release == NULL) {
        int code = base_pull(stream);
        return code != 0 || stream->has_ended ? code : cut(stream);
    }
    stream->chunk = rest;
    rest.release = NULL;
    return 0;
}

static void release(struct base_stream *stream) {
    if (rest.release != NULL) rest.release(&rest);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.opened = opened;
    base_async.pull = pull;
    base_async.release = release;
    base_plays_async();
}
