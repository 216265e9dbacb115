/* SPDX-License-Identifier: Apache-2.0 */
/* Registers an exit handler that crashes. */
#include "hostile.h"

#include <stdlib.h>

static void crash(void) {
    fault();
}

static void misbehave(void) {
    atexit(crash);
}
