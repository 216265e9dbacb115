/* SPDX-License-Identifier: Apache-2.0
 *
 * async/cancel-not-repeatable: cancel gives back what only the first one finds.
 */
#include <stdlib.h>

#include "base/async.h"

static void cancel(struct ArrowAsyncProducer *self) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    if (stream->is_cancelled) abort();
    base_unlock(stream);
    base_cancel(self);
}

void mutate(void) {
    base_async.cancel = cancel;
    base_plays_async();
}
