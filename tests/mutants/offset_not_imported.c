/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer. Planted: a slice is read from the beginning of its buffers.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    in->array.offset = 0;
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
