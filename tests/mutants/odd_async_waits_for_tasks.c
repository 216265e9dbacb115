/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The handler is released when each task was extracted.
 */
#include "base/async.h"

static void release(struct base_stream *stream) {
    base_lock(stream);
    while (stream->users > 1) base_await_change(stream);
    base_unlock(stream);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
