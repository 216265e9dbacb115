/* SPDX-License-Identifier: Apache-2.0
 *
 * async/handler-not-released: the handler is freed in place of being released.
 */
#include <stdlib.h>

#include "base/async.h"

static void release(struct base_stream *stream) {
    free(stream->handler);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
