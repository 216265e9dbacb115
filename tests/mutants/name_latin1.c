/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/name-invalid, producer. Planted: names are written in Latin-1.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->name = "caf\xe9";
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
