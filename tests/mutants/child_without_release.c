/* SPDX-License-Identifier: Apache-2.0
 *
 * array/release-null, producer. Planted: only the root of an array gets a callback.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.children[0]->release = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
