/* SPDX-License-Identifier: Apache-2.0
 *
 * array/null-count-differs, producer. Planted: the last value is not looked at when nulls are
 * counted.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    if (out->array.null_count > 0) out->array.null_count--;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
