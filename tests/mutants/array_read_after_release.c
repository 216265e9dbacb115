/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer. Planted: the values are read after the array was released.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    const volatile int32_t *values = in->array.buffers[1];
    int code = base_consume(self, schema, in, schema_out, host_out);
    if (code == 0) (void)values[0];
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
