/* SPDX-License-Identifier: Apache-2.0
 *
 * async/request-after-cancel: only the first cancel takes the lock; the others see by a flag that
 * there is nothing to do, and return before the first has had the lock, so that what is requested
 * behind them still counts.
 */
#include <stdatomic.h>

#include "base/async.h"

static _Atomic bool is_cancelled;

static void cancel(struct ArrowAsyncProducer *self) {
    if (!atomic_exchange(&is_cancelled, true)) base_cancel(self);
}

static void opened(struct base_stream *stream) {
    (void)stream;
    is_cancelled = false;
}

void mutate(void) {
    base_async.cancel = cancel;
    base_async.opened = opened;
    base_plays_async();
}
