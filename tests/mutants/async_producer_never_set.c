/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-not-set: handler->producer stays NULL.
 */
#include "base/async.h"

static void opened(struct base_stream *stream) {
    stream->handler->producer = NULL;
}

void mutate(void) {
    base_async.opened = opened;
    base_plays_async();
}
