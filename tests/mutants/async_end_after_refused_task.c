/* SPDX-License-Identifier: Apache-2.0
 *
 * async/called-after-refused-task: a refused task is followed by the end.
 */
#include "base/async.h"

static void refused(struct base_stream *stream, int code) {
    (void)code;
    stream->handler->on_next_task(stream->handler, NULL, NULL);
}

void mutate(void) {
    base_async.refused = refused;
    base_plays_async();
}
