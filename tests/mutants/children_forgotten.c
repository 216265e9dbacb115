/* SPDX-License-Identifier: Apache-2.0
 *
 * array/child-count-differs, producer. Planted: a struct is exported without its children.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.n_children = 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
