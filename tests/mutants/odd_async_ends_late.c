/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The end comes with one request more than there are batches.
 */
#include "base/async.h"

static int tell_task(struct base_stream *stream, struct base_task *task) {
    if (task != NULL) return base_tell_task(stream, task);
    pthread_mutex_lock(&stream->lock);
    while (!stream->is_cancelled && stream->error == 0 && stream->requested <= stream->delivered)
        pthread_cond_wait(&stream->changed, &stream->lock);
    pthread_mutex_unlock(&stream->lock);
    return base_tell_task(stream, NULL);
}

void mutate(void) {
    base_async.tell_task = tell_task;
    base_plays_async();
}
