/* SPDX-License-Identifier: Apache-2.0
 *
 * array/offset-negative, producer. Planted: the offset counts backwards.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.offset = -1;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
