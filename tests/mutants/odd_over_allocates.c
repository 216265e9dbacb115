/* SPDX-License-Identifier: Apache-2.0
 *
 * none: odd, but legal. Each buffer is longer than needed, with garbage in front of and behind the
 * values.
 */
#include <stdlib.h>
#include <string.h>

#include "base/implementation.h"

#define EXTRA 256

static void *alloc_more(size_t bytes) {
    char *block = malloc(bytes + 2 * EXTRA);
    return block == NULL ? NULL : (char *)memset(block, 0xEE, bytes + 2 * EXTRA) + EXTRA;
}

static void free_more(void *buffer) {
    if (buffer != NULL) free((char *)buffer - EXTRA);
}

void mutate(void) {
    base.buffer_alloc = alloc_more;
    base.buffer_free = free_more;
}
