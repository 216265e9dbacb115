/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer. Planted: an export forgets the offset that the import has heeded,
 * as `consume` shows.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.offset = 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES | ADI_CONSUMES;
    base.exported = spoil;
}
