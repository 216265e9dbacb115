/* SPDX-License-Identifier: Apache-2.0
 *
 * life/failure-leaves-output, consumer. Planted: a refusal comes after the schema was copied.
 */
#include <errno.h>

#include "base/implementation.h"

static int consume(struct adi_adapter *self, struct ArrowSchema *schema,
                   struct ArrowDeviceArray *in, struct ArrowSchema *schema_out,
                   struct ArrowArray *host_out) {
    if (schema->format[0] == 'u') {
        int code = base_schema_copy(schema, schema_out);
        return code != 0 ? code : ENOTSUP;
    }
    return base_consume(self, schema, in, schema_out, host_out);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.adapter.consume = consume;
}
