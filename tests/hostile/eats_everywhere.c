/* SPDX-License-Identifier: Apache-2.0 */
/* Writes to 10 GB of memory in every call. */
#include "everywhere.h"

#include <stdlib.h>
#include <string.h>

static void misbehave(void) {
    for (int i = 0; i < 10 * 1024; i++) {
        char *volatile piece = malloc(1 << 20);
        if (piece != NULL) memset(piece, i | 1, 1 << 20);
    }
}
