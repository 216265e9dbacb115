/* SPDX-License-Identifier: Apache-2.0
 *
 * async/text-kept: the metadata of a task is read when the next one comes.
 */
#include "base/async_consumer.h"

static const char *kept;

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    if (kept != NULL) (void)*(const volatile char *)kept;
    kept = metadata;
    return base_on_next_task(self, task, metadata);
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
