/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-count-differs, producer. Planted: unions have a validity buffer, as before format
 * version 1.0.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    static const void *buffers[3];
    buffers[1] = out->array.buffers[0];
    buffers[2] = out->array.n_buffers > 1 ? out->array.buffers[1] : NULL;
    out->array.buffers = buffers;
    out->array.n_buffers++;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
