/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/dictionary-nullable-dropped, consumer. Planted: a relay keeps the flags of fields only.
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
