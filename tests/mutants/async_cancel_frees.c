/* SPDX-License-Identifier: Apache-2.0
 *
 * async/cancel-not-repeatable: cancel gives back what only the first one finds.
 */
#include <stdlib.h>

#include "base/async.h"

static void cancel(struct ArrowAsyncProducer *self) {
    struct base_stream *stream = (void *)self;
    pthread_mutex_lock(&stream->lock);
    if (stream->is_cancelled) abort();
    pthread_mutex_unlock(&stream->lock);
    base_cancel(self);
}

void mutate(void) {
    base_async.cancel = cancel;
    base_plays_async();
}
