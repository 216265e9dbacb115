/* SPDX-License-Identifier: Apache-2.0
 *
 * async/handler-not-released: the handler is never released.
 */
#include "base/async.h"

static void release(struct base_stream *stream) {
    (void)stream;
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
