/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/format-unreadable, producer. Planted: the format points nowhere.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    schema->format = (const char *)(uintptr_t)8;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
