/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/child-count-differs, producer. Planted: a list schema is exported without its child.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->n_children = 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
