/* SPDX-License-Identifier: Apache-2.0
 *
 * async/cancel-ends-in-error: a cancel ends in on_error.
 */
#include <errno.h>

#include "base/async.h"

static void release(struct base_stream *stream) {
    if (stream->is_cancelled) base_tell_error(stream, ECANCELED);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
