/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-not-extracted: a task that is not wanted is forgotten.
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    if (task == NULL || sink->n < 2) return base_on_next_task(self, task, metadata);
    sink->producer->cancel(sink->producer);
    return 0;
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
