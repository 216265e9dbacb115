/* SPDX-License-Identifier: Apache-2.0
 *
 * life/crash, producer. Planted: what was made of buffers at odd addresses cannot be released.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/implementation.h"

static void end(struct ArrowArray *array) {
    (void)array;
    abort();
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    bool is_odd = host->n_buffers > 1 && (uintptr_t)host->buffers[1] % 2 != 0;
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code == 0 && is_odd) out->array.release = end;
    return code;
}

void mutate(void) {
    base.adapter.produce = produce;
}
