/* SPDX-License-Identifier: Apache-2.0
 *
 * async/bad-request-accepted: a request of nothing is passed over.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    if (n > 0) base_request(self, n);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
