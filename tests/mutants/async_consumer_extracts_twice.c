/* SPDX-License-Identifier: Apache-2.0
 *
 * async/extracted-twice: a task that was extracted is given up as well.
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    int code = base_on_next_task(self, task, metadata);
    if (task != NULL) task->extract_data(task, NULL);
    return code;
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
