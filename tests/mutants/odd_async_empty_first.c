/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A batch without rows comes before the others.
 */
#include "base/async.h"

static struct ArrowArray first; /* the batch behind it */
static bool is_given;

static void opened(struct base_stream *stream) {
    (void)stream;
    is_given = false;
    if (first.release != NULL) first.release(&first);
}

static int empty(struct base_stream *stream) {
    int code = base_array_copy(&stream->schema, &stream->chunk, &first);
    if (code != 0) return code;
    stream->chunk.length = 0;
    stream->chunk.null_count = 0;
    return 0;
}

static int pull(struct base_stream *stream) {
    if (first.release == NULL) {
        int code = base_pull(stream);
        if (code != 0 || stream->has_ended || is_given) return code;
        is_given = true;
        return empty(stream);
    }
    stream->chunk = first;
    first.release = NULL;
    return 0;
}

static void release(struct base_stream *stream) {
    if (first.release != NULL) first.release(&first);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.opened = opened;
    base_async.pull = pull;
    base_async.release = release;
    base_plays_async();
}
