/* SPDX-License-Identifier: Apache-2.0
 *
 * async/source-error-lost: the handler of a stream that fails is released, and that is all.
 */
#include "base/async.h"

static void tell_error(struct base_stream *stream, int code) {
    (void)stream, (void)code;
}

void mutate(void) {
    base_async.tell_error = tell_error;
    base_plays_async();
}
