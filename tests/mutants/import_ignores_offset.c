/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer. Planted: the one import that `consume` and `produce` have in common
 * ignores the offset, so that what is exported has other values than what was handed over.
 */
#include "base/implementation.h"

static void import(struct ArrowArray *array) {
    array->offset = 0;
}

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    import(&in->array);
    return base_consume(self, schema, in, schema_out, host_out);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    import(host);
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES | ADI_CONSUMES;
    base.adapter.consume = consume;
    base.adapter.produce = produce;
}
