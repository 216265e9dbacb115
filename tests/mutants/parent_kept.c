/* SPDX-License-Identifier: Apache-2.0
 *
 * life/parent-kept-after-child-move, consumer. Planted: a child is moved out and released while
 * its parent is still live.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    struct ArrowArray child = *in->array.children[0];
    in->array.children[0]->release = NULL;
    child.release(&child);
    schema->release(schema);
    in->array.release(&in->array);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
