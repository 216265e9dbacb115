/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producers-data-touched: the private_data of the producer is written over.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    self->producer->private_data = self;
    return base_on_schema(self, schema);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
