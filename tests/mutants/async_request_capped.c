/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: a request of more than 64 batches ends in an error.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    base_request(self, n > 64 ? 0 : n);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
