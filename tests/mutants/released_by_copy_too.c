/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-twice, consumer. Planted: the array is copied and released where it came, by which
 * it is marked; then its copy is released as well.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    struct ArrowArray copy = in->array;
    schema->release(schema);
    in->array.release(&in->array);
    copy.release(&copy);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
