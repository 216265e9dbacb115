/* SPDX-License-Identifier: Apache-2.0
 *
 * life/child-released-by-consumer, consumer. duckdb/duckdb#7917, apache/arrow-rs#20: the consumer
 * frees the children itself.
 */
#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    (void)self;
    int code = base_read(schema, in, schema_out, host_out);
    if (code != 0) return code;
    for (int64_t i = 0; i < in->array.n_children; i++)
        in->array.children[i]->release(in->array.children[i]);
    schema->release(schema);
    in->array.release(&in->array);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
