/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/type-differs, producer. Planted: the time zone is not exported.
 */
#include <string.h>

#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    if (strcmp(schema->format, "tss:UTC") == 0) schema->format = "tss:";
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
