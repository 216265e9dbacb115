/* SPDX-License-Identifier: Apache-2.0
 *
 * array/offsets-decreasing, producer. Planted: the ends of two values are written in the wrong
 * order.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    int32_t *offsets = (int32_t *)out->array.buffers[1];
    for (int64_t i = 1; i < out->array.length; i++) {
        int32_t end = offsets[i];
        if (end == offsets[i + 1]) continue;
        offsets[i] = offsets[i + 1];
        offsets[i + 1] = end;
        break;
    }
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
