/* SPDX-License-Identifier: Apache-2.0
 *
 * life/failure-leaves-output, producer. Planted: a refusal comes after the schema was exported.
 */
#include <errno.h>

#include "base/implementation.h"

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    if (schema->format[0] == 'u') {
        int code = base_schema_copy(schema, schema_out);
        return code != 0 ? code : ENOTSUP;
    }
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
