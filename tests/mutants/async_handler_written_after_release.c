/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-release: a member of the handler is set when it has been released.
 */
#include "base/async.h"

static void release(struct base_stream *stream) {
    base_release_handler(stream);
    stream->handler->producer = NULL;
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
