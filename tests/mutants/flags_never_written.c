/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/not-written, producer. Planted: the flags keep what was in the memory before.
 */
#include "base/implementation.h"

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int64_t before = schema_out->flags;
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code == 0) schema_out->flags = before;
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
