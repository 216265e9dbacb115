/* SPDX-License-Identifier: Apache-2.0
 *
 * array/type-id-unknown, producer. Planted: type ids are written as if they were indices of the
 * children.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    int8_t *ids = (int8_t *)out->array.buffers[0];
    for (int64_t i = 0; i < out->array.length; i++) ids[i] = ids[i] == 7 ? 0 : ids[i] == 3 ? 1 : 2;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
