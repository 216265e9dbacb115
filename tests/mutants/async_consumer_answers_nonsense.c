/* SPDX-License-Identifier: Apache-2.0
 *
 * async/answer-unknown: where a task cannot be extracted, on_next_task answers -1.
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    return base_on_next_task(self, task, metadata) == 0 ? 0 : -1;
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
