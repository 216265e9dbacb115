/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producer-not-there: another thread looks whether the handler is released, and requests when
 * that may be over: the release does not wait for it.
 */
#include "base/async_consumer.h"

static _Atomic bool is_released;

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    is_released = false;
    return base_on_schema(self, schema);
}

static void release(struct ArrowAsyncDeviceStreamHandler *self) {
    base_release(self);
    is_released = true;
}

static bool take_and_request(struct base_sink *sink) {
    if (!base_take_kept(sink)) return false;
    base_sink_lock(sink);
    bool goes = !sink->is_over;
    base_sink_unlock(sink);
    if (!goes) return true;
    if (is_released) base_shows();
    sink->producer->request(sink->producer, 1);
    if (is_released) base_shows();
    return true;
}

static void wait_and_request(struct base_sink *sink) {
    base_wait_and_do(sink, take_and_request);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_async_consumer.on_next_task = base_keep_quietly;
    base_async_consumer.release = release;
    base_async_consumer.wait = wait_and_request;
    base_consumes_async();
}
