/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-error: the end is told after an error.
 */
#include "base/async.h"

static void tell_error(struct base_stream *stream, int code) {
    base_tell_error(stream, code);
    base_tell_task(stream, NULL);
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
