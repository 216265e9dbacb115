/* SPDX-License-Identifier: Apache-2.0
 *
 * async/text-kept: the structure of the schema is looked at when on_schema has returned.
 */
#include "base/async_consumer.h"

static struct ArrowSchema *kept;

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    kept = schema;
    return base_on_schema(self, schema);
}

static int on_next_task(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowAsyncTask *task,
                        const char *metadata) {
    (void)*(void *volatile *)&kept->format;
    return base_on_next_task(self, task, metadata);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_async_consumer.on_next_task = on_next_task;
    base_consumes_async();
}
