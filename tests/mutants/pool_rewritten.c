/* SPDX-License-Identifier: Apache-2.0
 *
 * array/rewritten-after-export, producer. Planted: every export is laid out in the same pool.
 */
#include "base/implementation.h"

static char pool[1 << 24];
static size_t used;

static void *take(size_t bytes) {
    size_t at = used;
    used += (bytes + 63) / 64 * 64;
    return used <= sizeof pool ? pool + at : NULL;
}

static void keep(void *buffer) {
    (void)buffer;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    used = 0;
    return base_produce(self, type, device_id, schema, host, schema_out, out);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
    base.buffer_alloc = take;
    base.buffer_free = keep;
}
