/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The handler is released when each task was extracted.
 */
#include "base/async.h"

static void release(struct base_stream *stream) {
    pthread_mutex_lock(&stream->lock);
    while (stream->users > 1) pthread_cond_wait(&stream->changed, &stream->lock);
    pthread_mutex_unlock(&stream->lock);
    base_release_handler(stream);
}

void mutate(void) {
    base_async.release = release;
    base_plays_async();
}
