/* SPDX-License-Identifier: Apache-2.0
 *
 * life/failure-keeps-inputs, producer. Planted: a refusal marks the given array released and
 * releases nothing.
 */
#include <errno.h>

#include "base/implementation.h"

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    if (schema->format[0] == 'u') {
        host->release = NULL;
        return ENOTSUP;
    }
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
