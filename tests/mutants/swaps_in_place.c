/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer. Planted: the values are brought into another byte order where
 * they lie.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    uint32_t *values = (uint32_t *)in->array.buffers[1];
    for (int64_t i = 0; i < in->array.length; i++) values[i] = __builtin_bswap32(values[i]);
    for (int64_t i = 0; i < in->array.length; i++) values[i] = __builtin_bswap32(values[i]);
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
