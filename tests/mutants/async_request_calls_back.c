/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-calls-back: request hands out the first batch itself.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    base_request(self, n);
    if (stream->delivered == 0 && stream->chunk.release == NULL && base_async.pull(stream) == 0 &&
        !stream->has_ended)
        base_tell_task(stream, base_make_task(stream));
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
