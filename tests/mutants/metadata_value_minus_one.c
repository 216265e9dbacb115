/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/metadata-malformed, producer. Planted: a value that is missing is written with the length
 * -1.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    static const struct {
        int32_t pairs, key_bytes;
        char key[4];
        int32_t value_bytes;
    } metadata = {1, 4, {'u', 'n', 'i', 't'}, -1};
    schema->metadata = (const char *)&metadata;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
