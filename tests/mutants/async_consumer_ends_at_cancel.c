/* SPDX-License-Identifier: Apache-2.0
 *
 * async/not-ready-after-cancel: who has cancelled forgets what the callbacks need.
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    int code = base_on_next_task(self, task, metadata);
    if (sink->n == 2) {
        sink->producer->cancel(sink->producer);
        sink->producer = NULL;
    }
    return code;
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
