/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/flags-unknown, producer. Planted: a flag of the library's own is exported.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->flags |= 8;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
