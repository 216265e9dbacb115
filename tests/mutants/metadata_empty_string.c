/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/metadata-not-null, producer. Planted: "" where there is no metadata.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    static const char strings[] = "\0unit"; /* an empty one, and what happens to follow */
    if (schema->metadata == NULL) schema->metadata = strings;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
