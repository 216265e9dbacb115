/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/flag-without-meaning, producer. Planted: integers are flagged as an ordered dictionary.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
