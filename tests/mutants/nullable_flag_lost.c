/* SPDX-License-Identifier: Apache-2.0
 *
 * array/nulls-in-non-nullable, producer. Planted: children with nulls lose the flag that allows
 * them.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    for (int64_t i = 0; i < schema->n_children; i++) schema->children[i]->flags = 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
