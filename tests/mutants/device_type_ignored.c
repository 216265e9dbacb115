/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffers-dereferenced, consumer. apache/arrow#42113: buffers of other devices are treated
 * as host memory.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    in->device_type = ARROW_DEVICE_CPU;
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
