/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-twice, consumer. Planted: a refusal releases the array, and so does the caller of
 * what refused.
 */
#include <errno.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    if (schema->format[0] == 'u') {
        struct ArrowArray inner = in->array, outer = in->array;
        in->array.release = NULL;
        inner.release(&inner);
        outer.release(&outer);
        return ENOTSUP;
    }
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
