/* SPDX-License-Identifier: Apache-2.0
 *
 * array/child-too-short, producer. Planted: a child of a struct has one value less than the
 * struct.
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
