/* SPDX-License-Identifier: Apache-2.0 */
/* Registers an exit handler that crashes. */
#include "hostile.h"

#include <stdlib.h>

static void crash(void) {
    *(volatile int *volatile)NULL = 1;
}

static void misbehave(void) {
    atexit(crash);
}
