/* SPDX-License-Identifier: Apache-2.0
 *
 * array/dictionary-index-out-of-range, producer. Planted: an index of the unsliced dictionary is
 * left behind.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    int8_t *indices = (int8_t *)out->array.buffers[1];
    indices[0] = INT8_MAX;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
