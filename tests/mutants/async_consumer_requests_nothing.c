/* SPDX-License-Identifier: Apache-2.0
 *
 * async/bad-request: nothing is requested, by request(0).
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    if (task != NULL) sink->producer->request(sink->producer, 0);
    return base_on_next_task(self, task, metadata);
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
