/* SPDX-License-Identifier: Apache-2.0
 *
 * array/variadic-length-negative, producer. Planted: an unknown length of a variadic buffer is
 * written as -1.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    int64_t *lengths = (int64_t *)out->array.buffers[out->array.n_buffers - 1];
    lengths[0] = -1;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
