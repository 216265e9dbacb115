/* SPDX-License-Identifier: Apache-2.0
 *
 * async/cancel-not-repeatable: who cancels takes the stream for himself, and two at once end the
 * process, as a RefCell does that is borrowed twice.
 */
#include <stdlib.h>

#include "base/async.h"

static volatile bool is_borrowed;

static void cancel(struct ArrowAsyncProducer *self) {
    if (is_borrowed) abort();
    is_borrowed = true;
    base_cancel(self);
    is_borrowed = false;
}

void mutate(void) {
    base_async.cancel = cancel;
    base_plays_async();
}
