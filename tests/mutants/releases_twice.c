/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-twice, consumer. Planted: the array is moved away, then released by its copy and by
 * a copy of that.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    struct ArrowArray moved = in->array, again = in->array;
    schema->release(schema);
    in->array.release = NULL;
    moved.release(&moved);
    again.release(&again);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
