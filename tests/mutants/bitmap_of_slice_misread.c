/* SPDX-License-Identifier: Apache-2.0
 *
 * array/misread, consumer. Planted: the bitmap of a slice is read from its first bit.
 */
#include "base/implementation.h"

static void shift(struct ArrowSchema *schema, struct ArrowArray *host) {
    (void)schema;
    unsigned char *bits = (unsigned char *)host->buffers[0];
    int64_t n = (host->length + host->offset + 7) / 8;
    for (int64_t i = n - 1; i > 0; i--) bits[i] = (unsigned char)(bits[i] << 3 | bits[i - 1] >> 5);
    bits[0] = (unsigned char)(bits[0] << 3);
    host->null_count = -1;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.copied = shift;
}
