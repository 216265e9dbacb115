/* SPDX-License-Identifier: Apache-2.0 */
/* Uses 300 MB of memory in every call, and gives them back. */
#include "everywhere.h"

#include <stdlib.h>
#include <string.h>

#define MUCH (300u << 20)

static void misbehave(void) {
    char *volatile piece = malloc(MUCH);
    if (piece != NULL) memset(piece, 1, MUCH);
    free(piece);
}
