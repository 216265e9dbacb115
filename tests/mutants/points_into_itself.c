/* SPDX-License-Identifier: Apache-2.0
 *
 * life/points-into-itself, producer. Planted: the one pointer that a struct needs lies in the
 * structure itself.
 */
#include <stdlib.h>

#include "base/implementation.h"

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code != 0) return code;
    free(out->array.buffers);
    free(out->array.private_data);
    out->array.private_data = NULL;
    out->array.buffers = (const void **)&out->array.private_data;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
