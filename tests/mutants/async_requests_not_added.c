/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: a request takes the place of the one before it.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    stream->requested = n;
    pthread_cond_broadcast(&stream->changed);
    base_unlock(stream);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
