/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-after-cancel: what is requested after a cancel is handed out.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    pthread_mutex_lock(&stream->lock);
    stream->requested += n;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
