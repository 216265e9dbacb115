/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: what is still owed is forgotten when more is requested.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    int64_t delivered = stream->delivered, owed = stream->requested - delivered;
    base_unlock(stream);
    base_request(self, n);
    base_lock(stream);
    if (n > 0 && n < 1000 && owed > 0 && !stream->is_cancelled) stream->requested = delivered + n;
    base_unlock(stream);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
