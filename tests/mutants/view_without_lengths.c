/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-count-differs, producer. Planted: views without variadic buffers leave out the
 * buffer of lengths.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    out->array.n_buffers = 2;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
