/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: what is still owed is forgotten when more is requested.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    bool is_owed = stream->requested > stream->delivered && !stream->is_cancelled;
    bool replaces = is_owed && n > 0 && n < 1000;
    if (replaces) stream->requested = stream->delivered + n;
    base_unlock(stream);
    if (!replaces) base_request(self, n);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
