/* SPDX-License-Identifier: Apache-2.0
 *
 * life/released-input-used, consumer. Planted: `release` of what is handed over is not looked at.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_schema_copy(schema, schema_out);
    if (code == 0) code = base_array_copy(schema, &in->array, host_out);
    if (code != 0) return code;
    schema->release(schema);
    in->array.release(&in->array);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
