/* SPDX-License-Identifier: Apache-2.0
 *
 * life/hang: a release that comes between the look whether it has come and the sleep wakes nobody.
 */
#include "base/async_consumer.h"

static bool sleeps, is_woken;

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    struct base_sink *sink = self->private_data;
    self->release = NULL;
    base_sink_lock(sink);
    sink->is_over = true;
    is_woken = sleeps;
    pthread_cond_broadcast(&sink->changed);
    base_sink_unlock(sink);
}

static void wait(struct base_sink *sink) {
    base_sink_lock(sink);
    bool is_over = sink->is_over;
    base_sink_unlock(sink);
    if (is_over) return;
    base_sink_lock(sink);
    if (sink->is_over) base_shows();
    sleeps = true;
    while (!is_woken) base_sink_await_change(sink);
    sleeps = is_woken = false;
    base_sink_unlock(sink);
}

void mutate(void) {
    base_async_consumer.release = release;
    base_async_consumer.wait = wait;
    base_consumes_async();
}
