/* SPDX-License-Identifier: Apache-2.0
 *
 * life/depends-on-address, producer. Planted: the release callback remembers where the structure
 * was exported to, and marks it released there as well.
 */
#include "base/implementation.h"

static struct ArrowArray *home;

static void release_root(struct ArrowArray *array) {
    base_array_release(array);
    home->release = NULL;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code != 0) return code;
    home = &out->array;
    out->array.release = release_root;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
}
