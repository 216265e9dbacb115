/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffers-missing, producer. Planted: the buffers are counted but not there.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.buffers = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
