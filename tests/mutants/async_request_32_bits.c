/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-ignored: of the number of batches the lower 32 bits count.
 */
#include "base/async.h"

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    uint32_t few = (uint32_t)n;
    if (n <= 0 || few != 0) base_request(self, n <= 0 ? n : few);
}

void mutate(void) {
    base_async.request = request;
    base_plays_async();
}
