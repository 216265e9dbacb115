/* SPDX-License-Identifier: Apache-2.0
 *
 * array/run-ends-too-short, producer. Planted: the last run ends one value early.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    struct ArrowArray *ends = out->array.children[0];
    ((int32_t *)ends->buffers[1])[ends->length - 1] = (int32_t)out->array.length - 1;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
