/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer. apache/arrow-nanoarrow#509, NVIDIA/cudf#6706: the array is handed
 * out before the copy has ended.
 */
#include "comes_late.h"

static void delay(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    delay_buffer(schema, out, 1);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = delay;
}
