/* SPDX-License-Identifier: Apache-2.0
 *
 * array/offsets-omitted, producer. Planted: an empty array has no offsets.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.buffers[1] = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
