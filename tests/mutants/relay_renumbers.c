/* SPDX-License-Identifier: Apache-2.0
 *
 * device/relay-changes-device, producer. Planted: a relay numbers the CPU in its own way.
 */
#include "base/implementation.h"

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_relay(self, schema, in, schema_out, out);
    if (code == 0) out->device_id = 0;
    return code;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
