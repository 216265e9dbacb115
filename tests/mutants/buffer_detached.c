/* SPDX-License-Identifier: Apache-2.0
 *
 * life/structure-changed, consumer. Planted: a buffer is taken over by setting its pointer to
 * NULL.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    schema->release(schema);
    in->array.buffers[1] = NULL;
    in->array.release(&in->array);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
