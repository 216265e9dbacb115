/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-end: the end is told twice.
 */
#include "base/async.h"

static void release(struct base_stream *stream) {
    if (stream->has_ended) base_tell_task(stream, NULL);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
