/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer. Planted: buffers are taken to be padded to 64 bytes.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    const volatile char *values = in->array.buffers[1];
    int64_t bytes = base_buffer_bytes(schema, &in->array, 1);
    for (int64_t i = 0; i < (bytes + 63) / 64 * 64; i++) (void)values[i];
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
