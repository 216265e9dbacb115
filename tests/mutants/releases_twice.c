/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-twice, consumer. Planted: the array is released by its copy, and by a copy of that.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowArray again = in->array;
    int code = base_consume(self, schema, in, schema_out, host_out);
    if (code == 0) again.release(&again);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
