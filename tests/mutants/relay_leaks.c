/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer. Planted: a relay loses a little each time.
 */
#include <errno.h>

#include "base/implementation.h"

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    void *volatile lost = base_copy_bytes(in, sizeof *in);
    return lost == NULL ? ENOMEM : base_relay(self, schema, in, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
