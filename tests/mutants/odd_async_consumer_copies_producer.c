/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. The producer is called by a copy of its structure.
 */
#include "base/async_consumer.h"

static struct ArrowAsyncProducer copy;

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct base_sink *sink = self->private_data;
    copy = *self->producer;
    sink->producer = &copy;
    sink->schema = *schema;
    schema->release = NULL;
    copy.request(&copy, sink->at_once);
    return 0;
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
