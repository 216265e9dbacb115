/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-input-used, consumer. Planted: the input is read before its `release` is looked
 * at.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)*(const volatile char *)schema->format;
    if (in->array.n_buffers > 0) (void)*(const void *const volatile *)in->array.buffers;
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
