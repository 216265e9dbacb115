/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Tasks are copied, and extracted when the handler has been released.
 */
#include <errno.h>

#include "base/async_consumer.h"

static struct ArrowAsyncTask kept[BASE_BATCHES];
static int n;

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    (void)metadata;
    if (task == NULL) return 0;
    if (n == BASE_BATCHES) return ENOMEM;
    kept[n++] = *task;
    sink->producer->request(sink->producer, 1);
    return 0;
}

static void over(struct base_sink *sink) {
    for (int i = 0; i < n; i++) base_take(sink, &kept[i]);
    n = 0;
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_async_consumer.over = over;
    base_consumes_async();
}
