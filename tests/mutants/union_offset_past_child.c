/* SPDX-License-Identifier: Apache-2.0
 *
 * array/union-offset-out-of-range, producer. Planted: the last offset of a dense union is one of
 * the union itself.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    int32_t *offsets = (int32_t *)out->array.buffers[1];
    offsets[out->array.length - 1] = (int32_t)out->array.length;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
