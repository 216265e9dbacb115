/* SPDX-License-Identifier: Apache-2.0
 *
 * async/error-overlooked: who blocks looks for an error before, and not when all has come, unless
 * there is no schema.
 */
#include "base/async_consumer.h"

static void wait(struct base_sink *sink) {
    base_sink_lock(sink);
    int error = sink->error;
    base_sink_unlock(sink);
    base_wait(sink);
    if (sink->schema.release == NULL || sink->error == error) return;
    base_shows();
    sink->error = error;
}

void mutate(void) {
    base_async_consumer.wait = wait;
    base_consumes_async();
}
