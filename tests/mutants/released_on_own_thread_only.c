/* SPDX-License-Identifier: Apache-2.0
 *
 * life/release-on-other-thread, producer. Planted: what the release callback needs is local to the
 * thread that exported.
 */
#include "base/implementation.h"

static _Thread_local struct adi_adapter *volatile here;

static void release(struct ArrowArray *array) {
    if (here->size > 0) base_array_release(array);
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code == 0) here = self;
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
    base.release_array = release;
}
