/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-at-move, consumer. Planted: a relay moves the array and releases the source.
 */
#include "base/implementation.h"

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    struct ArrowDeviceArray moved = *in;
    int code = base_relay(self, schema, &moved, schema_out, out);
    if (code == 0) in->array.release(&in->array);
    return code;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
