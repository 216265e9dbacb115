/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/names-differ, producer. Planted: every column is exported as "column".
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    for (int64_t i = 0; i < schema->n_children; i++) schema->children[i]->name = "column";
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
