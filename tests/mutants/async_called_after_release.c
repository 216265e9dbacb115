/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-release: the end is told when the handler has been released.
 */
#include "base/async.h"

static void release(struct base_stream *stream) {
    base_release_handler(stream);
    base_tell_task(stream, NULL);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
