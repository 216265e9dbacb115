/* SPDX-License-Identifier: Apache-2.0
 *
 * life/crash, producer. Planted: an export of nothing but nulls aborts.
 */
#include <stdlib.h>

#include "base/implementation.h"

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    if (host->null_count == host->length) abort();
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
