/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-not-there: the stream is cancelled when the handler has been released.
 */
#include "base/async_consumer.h"

static void over(struct base_sink *sink) {
    if (sink->producer != NULL) sink->producer->cancel(sink->producer);
}

void mutate(void) {
    base_async_consumer.over = over;
    base_consumes_async();
}
