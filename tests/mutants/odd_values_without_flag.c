/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A relay whose dictionary types keep no flag for their values: they are no
 * field, and that they may be null is said of the index.
 */
#include "base/implementation.h"

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_relay(self, schema, in, schema_out, out);
    if (code == 0 && schema_out->dictionary != NULL) schema_out->dictionary->flags = 0;
    return code;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
