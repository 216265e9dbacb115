/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/metadata-not-null, producer. Planted: "" where there is no metadata.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    if (schema->metadata == NULL) schema->metadata = "";
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
