/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. What was imported is released by another thread, 1 ms later.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    schema->release(schema);
    return base_release_late(&in->array, 1000000);
}

void mutate(void) {
    base.adapter.consume = consume;
}
