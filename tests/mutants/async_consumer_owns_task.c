/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producers-data-touched: the private_data of a task is written over.
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    if (task != NULL) task->private_data = self;
    return base_on_next_task(self, task, metadata);
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
