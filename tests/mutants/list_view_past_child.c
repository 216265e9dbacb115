/* SPDX-License-Identifier: Apache-2.0
 *
 * array/list-view-out-of-range, producer. Planted: a list view is longer than its child.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    int32_t *sizes = (int32_t *)out->array.buffers[2];
    sizes[0] = 1000000;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
