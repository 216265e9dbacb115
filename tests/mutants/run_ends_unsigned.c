/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/run-ends-invalid, producer. Planted: run ends are exported as uint32.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->children[0]->format = "I";
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
