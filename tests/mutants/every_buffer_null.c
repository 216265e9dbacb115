/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-null, producer. apache/arrow#39782: NULL for every buffer.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    for (int64_t i = 0; i < out->array.n_buffers; i++) out->array.buffers[i] = NULL;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
