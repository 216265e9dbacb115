/* SPDX-License-Identifier: Apache-2.0
 *
 * life/hang: nothing is ever requested.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    struct base_sink *sink = self->private_data;
    sink->producer = self->producer;
    sink->schema = *schema;
    schema->release = NULL;
    return 0;
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
