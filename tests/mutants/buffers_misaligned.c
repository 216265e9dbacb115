/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-misaligned, producer. Planted: buffers begin behind a header of one byte.
 */
#include <stdlib.h>

#include "base/implementation.h"

static void *alloc_behind_header(size_t bytes) {
    char *block = malloc(bytes + 1);
    return block == NULL ? NULL : block + 1;
}

static void free_with_header(void *buffer) {
    if (buffer != NULL) free((char *)buffer - 1);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.buffer_alloc = alloc_behind_header;
    base.buffer_free = free_with_header;
}
