/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-not-extracted: once the handler is released, nobody looks for tasks any more that came
 * since the last look.
 */
#include "base/async_consumer.h"

static void wait_and_take(struct base_sink *sink) {
    bool goes = true;
    while (goes) {
        while (base_take_kept(sink)) continue;
        base_sink_lock(sink);
        if (!sink->is_over) base_sink_await_change(sink);
        goes = !sink->is_over;
        base_sink_unlock(sink);
    }
    if (sink->first < sink->last) base_shows();
}

void mutate(void) {
    base_async_consumer.on_next_task = base_keep;
    base_async_consumer.wait = wait_and_take;
    base_consumes_async();
}
