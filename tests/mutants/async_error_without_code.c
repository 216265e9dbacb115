/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-code-unknown: an error has the code 0.
 */
#include "base/async.h"

static void tell_error(struct base_stream *stream, int code) {
    (void)code;
    base_tell_error(stream, 0);
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
