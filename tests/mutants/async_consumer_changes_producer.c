/* SPDX-License-Identifier: Apache-2.0
 *
 * life/structure-changed: the device type of the producer is set.
 */
#include "base/async_consumer.h"

static int on_schema(struct ArrowAsyncDeviceStreamHandler *self, struct ArrowSchema *schema) {
    self->producer->device_type = ARROW_DEVICE_CUDA;
    return base_on_schema(self, schema);
}

void mutate(void) {
    base_async_consumer.on_schema = on_schema;
    base_consumes_async();
}
