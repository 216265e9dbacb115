/* SPDX-License-Identifier: Apache-2.0
 *
 * life/depends-on-address, producer. Planted: release looks the structure up by its address.
 */
#include "base/implementation.h"

static const struct ArrowArray *home;

static void release_root(struct ArrowArray *array) {
    if (array == home) base_array_release(array);
}

static void know_home(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.release = release_root;
}

static int produce(struct adi_adapter *self, ArrowDeviceType type, int64_t device_id,
                   struct ArrowSchema *schema, struct ArrowArray *host,
                   struct ArrowSchema *schema_out, struct ArrowDeviceArray *out) {
    int code = base_produce(self, type, device_id, schema, host, schema_out, out);
    if (code == 0) home = &out->array;
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.adapter.produce = produce;
    base.exported = know_home;
}
