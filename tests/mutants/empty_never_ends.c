/* SPDX-License-Identifier: Apache-2.0
 *
 * life/hang, consumer. Planted: the loop over the values ends at the last one, which an empty
 * array does not have.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    volatile uint64_t left = (uint64_t)in->array.length;
    while (--left != 0) continue;
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
