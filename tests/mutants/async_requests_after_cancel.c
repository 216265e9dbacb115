/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-after-cancel: what is requested after a cancel is handed out, unless that is late.
 */
#include <time.h>

#include "base/async.h"

#define LATE_NS (100 * 1000 * 1000)

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    stream->requested += n;
    pthread_cond_broadcast(&stream->changed);
    base_unlock(stream);
}

static bool may_deliver(struct base_stream *stream) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LATE_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int code = 0;
    while (stream->schedule == NULL && stream->is_cancelled &&
           stream->requested <= stream->delivered && code == 0)
        code = pthread_cond_timedwait(&stream->changed, &stream->lock, &until);
    return stream->requested > stream->delivered;
}

void mutate(void) {
    base_async.request = request;
    base_async.may_deliver = may_deliver;
    base_plays_async();
}
