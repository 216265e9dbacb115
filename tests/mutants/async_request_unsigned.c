/* SPDX-License-Identifier: Apache-2.0
 *
 * async/bad-request-accepted: n is taken for an unsigned number.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    base_request(self, n < 0 ? INT64_MAX : n);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
