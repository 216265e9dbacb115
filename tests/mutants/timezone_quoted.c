/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/timezone-quoted, producer. Planted: the time zone is written in quotation marks.
 */
#include <string.h>

#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    if (strcmp(schema->format, "tss:UTC") == 0) schema->format = "tss:\"UTC\"";
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
