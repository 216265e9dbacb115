/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The end comes with one request more than there are batches.
 */
#include "base/async.h"

static int tell_task(struct base_stream *stream, struct base_task *task) {
    if (task != NULL) return base_tell_task(stream, task);
    base_lock(stream);
    while (!stream->is_cancelled && stream->error == 0 && stream->requested <= stream->delivered)
        base_await_change(stream);
    base_unlock(stream);
    return base_tell_task(stream, NULL);
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_plays_async();
}
