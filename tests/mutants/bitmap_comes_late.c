/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer. Planted: the bitmap is written after the array was handed out, so
 * that the null count is another one than what is read at first. That follows from it, and so does
 * all else that is wrong with values that are not there yet.
 */
#include "comes_late.h"

static void delay(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    delay_buffer(schema, out, 0);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = delay;
}
