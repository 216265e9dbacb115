/* SPDX-License-Identifier: Apache-2.0
 *
 * device/cpu-id-refused, consumer. Planted: only the device id -1 is taken for the CPU.
 */
#include <errno.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    if (in->device_id != -1) return EINVAL;
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
