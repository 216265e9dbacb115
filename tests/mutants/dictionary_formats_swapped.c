/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/dictionary-index-not-integer, producer. Planted: values and indices exchange their
 * formats.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    const char *values = schema->dictionary->format;
    schema->dictionary->format = schema->format;
    schema->format = values;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
