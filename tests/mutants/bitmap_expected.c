/* SPDX-License-Identifier: Apache-2.0
 *
 * life/crash, consumer. Planted: a bitmap that was left out is read.
 */
#include <errno.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    if (in->array.n_buffers > 0 && *(const volatile char *)in->array.buffers[0] == 0) return EINVAL;
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
