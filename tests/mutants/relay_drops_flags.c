/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/flags-dropped, consumer. Planted: a relay forgets that the keys of a map are sorted.
 */
#include "base/implementation.h"

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_relay(self, schema, in, schema_out, out);
    if (code == 0) schema_out->flags &= ~ARROW_FLAG_MAP_KEYS_SORTED;
    return code;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
