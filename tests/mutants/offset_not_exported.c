/* SPDX-License-Identifier: Apache-2.0
 *
 * array/data-differs, producer. Planted: a slice is exported as the beginning of its buffers.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.offset = 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
