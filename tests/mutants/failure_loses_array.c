/* SPDX-License-Identifier: Apache-2.0
 *
 * life/failure-keeps-inputs, consumer. Planted: a refusal moves the array away and forgets it.
 */
#include <errno.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    if (schema->format[0] == 'u') {
        in->array.release = NULL;
        return ENOTSUP;
    }
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
