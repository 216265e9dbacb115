/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-after-cancel: a cancel fails, which on_error tells. It may be right, so that it is a
 * note.
 */
#include <errno.h>

#include "base/async.h"

static void release(struct base_stream *stream) {
    if (stream->is_cancelled) base_tell_error(stream, EIO);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
