/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: a request of more than 64 batches is not counted, and nobody is told.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    if (n <= 64) base_request(self, n);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
