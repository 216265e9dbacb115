/* SPDX-License-Identifier: Apache-2.0
 *
 * array/child-missing, producer. Planted: one of the pointers to children is NULL.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.children[1] = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
