/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/release-null, producer. Planted: only the root of a schema gets a callback.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    if (schema->n_children > 0) schema->children[0]->release = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
