/* SPDX-License-Identifier: Apache-2.0 */
/* Registers an exit handler that does not return. */
#include "hostile.h"

#include <stdlib.h>
#include <unistd.h>

static void hang(void) {
    for (;;) pause();
}

static void misbehave(void) {
    atexit(hang);
}
