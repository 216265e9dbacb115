/* SPDX-License-Identifier: Apache-2.0
 *
 * array/view-padding-not-zero, producer. Planted: what a short value leaves of its view is not
 * cleared.
 */
#include <string.h>

#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    int32_t *views = (int32_t *)out->array.buffers[1];
    for (int64_t i = 0; i < out->array.length; i++) {
        if (views[4 * i] > 11 || views[4 * i] < 0) continue;
        memset((char *)&views[4 * i + 4] - 1, 0x5A, 1);
    }
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
