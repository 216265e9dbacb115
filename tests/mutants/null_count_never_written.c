/* SPDX-License-Identifier: Apache-2.0
 *
 * array/not-written, producer. Planted: the null count keeps what was in the memory before.
 */
#include "base/implementation.h"

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int64_t before = out->array.null_count;
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code == 0) out->array.null_count = before;
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
