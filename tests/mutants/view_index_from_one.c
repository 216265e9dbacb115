/* SPDX-License-Identifier: Apache-2.0
 *
 * array/view-out-of-range, producer. Planted: variadic buffers are counted from 1.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    if (schema->format[0] != 'v') return;
    int32_t *views = (int32_t *)out->array.buffers[1];
    for (int64_t i = 0; i < out->array.length; i++) {
        if (views[4 * i] <= 12) continue;
        views[4 * i + 2]++;
    }
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
