/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. It asks for the schedule and comes to its points, but for one: what waits
 * for a request waits elsewhere. Its schedules are lost, and the case does not pass.
 */
#include "base/async.h"

static bool may_deliver(struct base_stream *stream) {
    const bool waits = !stream->is_cancelled && stream->error == 0;
    while (!base_may_deliver(stream) && !stream->is_cancelled && stream->error == 0)
        pthread_cond_wait(&stream->changed, &stream->lock);
    return waits || base_may_deliver(stream); /* what it waited for has come */
}

void mutate(void) {
    base_async.may_deliver = may_deliver;
    base_plays_async();
}
