/* SPDX-License-Identifier: Apache-2.0
 *
 * array/children-missing, producer. Planted: the children are counted but not there.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.children = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
