/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What a stream gave is released when the next one comes, or at the end.
 */
#include <errno.h>

#include "base/async_consumer.h"

static struct ArrowArray kept[BASE_BATCHES];
static int n;

static void let_go(void) {
    while (n > 0) {
        n--;
        kept[n].release(&kept[n]);
    }
}

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    let_go();
    return base_on_schema(self, schema);
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    struct base_sink *sink = self->private_data;
    struct ArrowDeviceArray array;
    (void)metadata;
    if (task == NULL) return 0;
    if (n == BASE_BATCHES || sink->n == BASE_BATCHES) return ENOMEM;
    int code = task->extract_data(task, &array);
    if (code != 0) sink->error = code;
    if (code != 0) return code;
    kept[n++] = array.array;
    code = base_array_copy(&sink->schema, &array.array, &sink->batches[sink->n]);
    if (code != 0) return code;
    sink->n++;
    sink->producer->request(sink->producer, 1);
    return 0;
}

static void close_adapter(struct adi_adapter *self) {
    (void)self;
    let_go();
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_async_consumer.on_next_task = on_next_task;
    base.adapter.close = close_adapter;
    base_consumes_async();
}
