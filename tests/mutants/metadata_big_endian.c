/* SPDX-License-Identifier: Apache-2.0
 *
 * schema/metadata-malformed, producer. Planted: the counts of the metadata are in network byte
 * order.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)out;
    static const char metadata[] = {0, 0, 0, 1, 0, 0, 0, 1, 'k', 0, 0, 0, 1, 'v'};
    schema->metadata = metadata;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
