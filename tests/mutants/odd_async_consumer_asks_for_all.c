/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. All there may be is requested at once.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct base_sink *sink = self->private_data;
    sink->at_once = INT64_MAX;
    return base_on_schema(self, schema);
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    (void)metadata;
    return task == NULL ? 0 : base_take(self->private_data, task);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
