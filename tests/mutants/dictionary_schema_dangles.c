/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/dictionary-unreadable, producer. Planted: the schema of the dictionary is gone.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->dictionary = (struct ArrowSchema *)(uintptr_t)8;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
