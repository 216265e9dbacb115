/* SPDX-License-Identifier: Apache-2.0
 *
 * life/private-data-touched, consumer. Planted: the consumer keeps a pointer of its own in
 * private_data.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    in->array.private_data = self;
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
