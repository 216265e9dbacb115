/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/children-missing, producer. Planted: the children are counted but not there.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->children = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
