/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-error: an error is told twice.
 */
#include "base/async.h"

static void tell_error(struct base_stream *stream, int code) {
    base_tell_error(stream, code);
    base_tell_error(stream, code);
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
