/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. A relay whose types keep no flag for what may be null: it says of every
 * field, and of the values of every dictionary, that it may be.
 */
#include "base/implementation.h"

static void allow_nulls(struct ArrowSchema *schema) {
    schema->flags |= ARROW_FLAG_NULLABLE;
    for (int64_t i = 0; i < schema->n_children; i++) allow_nulls(schema->children[i]);
    if (schema->dictionary != NULL) allow_nulls(schema->dictionary);
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_relay(self, schema, in, schema_out, out);
    if (code == 0) allow_nulls(schema_out);
    return code;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.adapter.relay = relay;
}
