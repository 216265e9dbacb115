/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/map-entries-invalid, producer. Planted: the entries of a map have keys only.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->children[0]->n_children = 1;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
