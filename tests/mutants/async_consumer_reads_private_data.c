/* SPDX-License-Identifier: Apache-2.0
 *
 * async/producers-data-touched: the private_data of the producer is looked at.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    (void)*(volatile char *)self->producer->private_data;
    return base_on_schema(self, schema);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
