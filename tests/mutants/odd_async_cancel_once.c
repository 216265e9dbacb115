/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Only the first cancel takes the lock; the others see by an atomic flag that
 * there is nothing to do. request looks at the flag before it counts, so that it does nothing
 * behind any cancel, though the first may still be waiting for the lock.
 */
#include <stdatomic.h>

#include "base/async.h"

static _Atomic bool is_cancelled;

static void request(struct ArrowAsyncProducer *self, int64_t n) {
    if (!is_cancelled) base_request(self, n);
}

static void cancel(struct ArrowAsyncProducer *self) {
    if (!atomic_exchange(&is_cancelled, true)) base_cancel(self);
}

static void opened(struct base_stream *stream) {
    (void)stream;
    is_cancelled = false;
}

void mutate(void) {
    base_async.request = request;
    base_async.cancel = cancel;
    base_async.opened = opened;
    base_plays_async();
}
