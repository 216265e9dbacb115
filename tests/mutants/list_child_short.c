/* SPDX-License-Identifier: Apache-2.0
 *
 * array/offset-out-of-range, producer. Planted: the child of a list has lost its last value.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.children[0]->length--;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
