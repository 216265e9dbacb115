/* SPDX-License-Identifier: Apache-2.0
 *
 * async/task-kept: the pointer to a task is kept, and followed later.
 */
#include "base/async_consumer.h"

static struct ArrowAsyncTask *kept;

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    (void)metadata;
    if (kept != NULL && base_take(sink, kept) != 0) return 1;
    kept = task;
    return 0;
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
