/* SPDX-License-Identifier: Apache-2.0
 *
 * stream/device-type-invalid, producer: what is relayed is said to be of no type.
 */
#include "base/stream.h"

static int relay(struct adi_adapter *self, struct ArrowDeviceArrayStream *in,
                 struct ArrowDeviceArrayStream *out) {
    int code = base_relay_stream(self, in, out);
    if (code != 0) return code;
    out->device_type = 0;
    return 0;
}

void mutate(void) {
    base_relays_streams();
    base.adapter.relay_stream = relay;
}
