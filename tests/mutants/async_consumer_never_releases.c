/* SPDX-License-Identifier: Apache-2.0
 *
 * life/never-released: a batch that was copied is not released.
 */
#include "base/async_consumer.h"

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    struct ArrowDeviceArray array;
    (void)metadata;
    if (task == NULL) return 0;
    int code = task->extract_data(task, &array);
    if (code == 0) code = base_array_copy(&sink->schema, &array.array, &sink->batches[sink->n]);
    if (code == 0) sink->n++;
    if (code != 0) sink->error = code;
    sink->producer->request(sink->producer, 1);
    return code;
}

void mutate(void) {
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
