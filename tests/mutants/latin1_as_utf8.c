/* SPDX-License-Identifier: Apache-2.0
 *
 * array/not-utf8, producer. Planted: text is exported in Latin-1.
 */
#include "base/implementation.h"

static void spoil(struct ArrowSchema *schema, struct ArrowDeviceArray *out) {
    (void)schema;
    unsigned char *text = (unsigned char *)out->array.buffers[2];
    text[0] = 0xE9;
    text[1] = ' ';
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = spoil;
}
