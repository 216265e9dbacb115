/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The end is told after a cancel, unless there was an end, an error or a
 * refusal before.
 */
#include "base/async.h"

static void note(struct base_stream *stream, int code) {
    base_lock(stream);
    stream->error = code;
    base_unlock(stream);
}

static void tell_error(struct base_stream *stream, int code) {
    note(stream, code);
    base_tell_error(stream, code);
}

static void release(struct base_stream *stream) {
    base_lock(stream);
    bool ends = stream->is_cancelled && !stream->has_ended && stream->error == 0;
    base_unlock(stream);
    if (ends) base_tell_task(stream, NULL);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_async.refused = note;
    base_async.release = release;
    base_plays_async();
}
