/* SPDX-License-Identifier: Apache-2.0
 *
 * life/move-source-not-released, consumer. Planted: the array is moved, but its source is not
 * marked released.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowDeviceArray moved = *in;
    return base_consume(self, schema, &moved, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
