/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: of two requests at once one is lost, with one thread for all streams.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    int64_t before = stream->requested;
    base_request(self, n);
    base_lock(stream);
    if (n > 0 && n < INT64_MAX / 2 && !stream->is_cancelled) stream->requested = before + n;
    base_unlock(stream);
}

void mutate(void) {
    base_async.pooled = true;
    base_async.request = request;
    base_plays_async();
}
