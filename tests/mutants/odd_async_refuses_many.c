/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A request of more than 2^31 batches ends in on_error.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    base_request(self, n > INT32_MAX ? 0 : n);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
