/* SPDX-License-Identifier: Apache-2.0
 *
 * async/cancel-calls-back: cancel releases the handler itself.
 */
#include "base/async.h"

static void cancel(struct ArrowAsyncProducer *self) {
    struct base_stream *stream = (void *)self;
    base_release_handler(stream);
    base_cancel(self);
}

static void release(struct base_stream *stream) {
    if (!stream->is_cancelled) base_release_handler(stream);
}

void mutate(void) {
    base_async.cancel = cancel;
    base_async.release = release;
    base_plays_async();
}
