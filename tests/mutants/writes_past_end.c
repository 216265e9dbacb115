/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer. Planted: a sentinel is written behind the values.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    volatile char *values = (volatile char *)in->array.buffers[1];
    values[(base_buffer_bytes(schema, &in->array, 1) + 15) / 16 * 16] = 0;
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
