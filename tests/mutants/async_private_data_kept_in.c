/* SPDX-License-Identifier: Apache-2.0
 *
 * async/private-data-touched: the producer keeps a pointer of its own in the handler.
 */
#include "base/async.h"

static void opened(struct base_stream *stream) {
    stream->handler->private_data = stream;
}

void mutate(void) {
    base_async.opened = opened;
    base_plays_async();
}
