/* SPDX-License-Identifier: Apache-2.0
 *
 * async/cancel-ignored: cancel does nothing.
 */
#include "base/async.h"

static void cancel(struct ArrowAsyncProducer *self) {
    (void)self;
}

void mutate(void) {
    base_async.cancel = cancel;
    base_plays_async();
}
