/* SPDX-License-Identifier: Apache-2.0
 *
 * array/run-ends-invalid, producer. Planted: the lengths of the runs are written instead of their
 * ends.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    int32_t *ends = (int32_t *)out->array.children[0]->buffers[1];
    for (int64_t i = out->array.children[0]->length - 1; i > 0; i--) ends[i] -= ends[i - 1];
    ends[out->array.children[0]->length - 1] = 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
