/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: a request by another thread than that of the first is an error.
 */
#include <errno.h>

#include "base/async.h"

static struct base_stream *of;
static pthread_t first;

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    struct base_stream *stream = (void *)self;
    base_lock(stream);
    if (of != stream || stream->requested == 0) first = pthread_self();
    of = stream;
    if (!pthread_equal(first, pthread_self())) {
        stream->error = EPERM;
        base_shows();
    }
    base_unlock(stream);
    base_request(self, n);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
