/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Both inputs are taken over before anything else, and released if the call
 * fails.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    struct ArrowSchema own_schema = *schema;
    struct ArrowDeviceArray own = *in;
    schema->release = NULL;
    in->array.release = NULL;
    int code = base_consume(self, &own_schema, &own, schema_out, host_out);
    if (code == 0) return 0;
    if (own_schema.release != NULL) own_schema.release(&own_schema);
    if (own.array.release != NULL) own.array.release(&own.array);
    return code;
}

static int relay(struct adi_adapter *self, struct ArrowSchema *schema, struct ArrowDeviceArray *in,
                 struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    struct ArrowSchema own_schema = *schema;
    struct ArrowDeviceArray own = *in;
    schema->release = NULL;
    in->array.release = NULL;
    int code = base_relay(self, &own_schema, &own, schema_out, out);
    if (code == 0) return 0;
    if (own_schema.release != NULL) own_schema.release(&own_schema);
    if (own.array.release != NULL) own.array.release(&own.array);
    return code;
}

void mutate(void) {
    base.adapter.consume = consume;
    base.adapter.relay = relay;
}
