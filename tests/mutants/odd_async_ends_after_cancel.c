/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The end is told after a cancel.
 */
#include "base/async.h"

static void release(struct base_stream *stream) {
    if (stream->is_cancelled) base_tell_task(stream, NULL);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
