/* SPDX-License-Identifier: Apache-2.0 */
/* Recurses until the stack is used up. */
#include "hostile.h"

static int dig(volatile char *above, int depth) {
    volatile char here[1024];
    here[0] = above[0];
    return depth < 0 ? here[0] : dig(here, depth + 1) + here[512];
}

static void misbehave(void) {
    volatile char top[1] = {0};
    dig(top, 1);
}
