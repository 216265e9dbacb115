/* SPDX-License-Identifier: Apache-2.0
 *
 * array/length-negative, producer. Planted: the length is not known yet, and says so by -1.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.length = -1;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
