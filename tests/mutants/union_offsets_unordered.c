/* SPDX-License-Identifier: Apache-2.0
 *
 * array/union-offset-decreasing, producer. Planted: values are appended to a child in another
 * order than the union names them.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    const int8_t *ids = out->array.buffers[0];
    int32_t *offsets = (int32_t *)out->array.buffers[1];
    int32_t *values = (int32_t *)out->array.children[0]->buffers[1], value = values[0];
    values[0] = values[1];
    values[1] = value;
    for (int64_t i = 0; i < out->array.length; i++)
        if (ids[i] == 0 && offsets[i] < 2) offsets[i] = 1 - offsets[i];
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
