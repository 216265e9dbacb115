/* SPDX-License-Identifier: Apache-2.0
 *
 * array/null-count-out-of-range, producer. Planted: the nulls of the whole buffer are counted,
 * padding included.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.null_count = out->array.length + 5;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
