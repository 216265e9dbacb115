/* SPDX-License-Identifier: Apache-2.0
 *
 * array/union-offset-decreasing, producer. Planted: two values of one child are named in the wrong
 * order.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    const int8_t *ids = out->array.buffers[0];
    int32_t *offsets = (int32_t *)out->array.buffers[1];
    int64_t second = 1;
    while (ids[second] != ids[0]) second++;
    int32_t first = offsets[0];
    offsets[0] = offsets[second];
    offsets[second] = first;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
