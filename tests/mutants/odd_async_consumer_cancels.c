/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Where a task cannot be extracted it cancels, and answers 0: on_error comes.
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    if (base_on_next_task(self, task, metadata) != 0) sink->producer->cancel(sink->producer);
    return 0;
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
