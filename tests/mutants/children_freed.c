/* SPDX-License-Identifier: Apache-2.0
 *
 * life/structure-changed, consumer. Planted: it frees the structures of the children that it was
 * given, and the list of them, which are the producer's.
 */
#include <stdlib.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    for (int64_t i = 0; i < in->array.n_children; i++) free(in->array.children[i]);
    if (in->array.n_children > 0) free((void *)in->array.children);
    schema->release(schema);
    in->array.release(&in->array);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
