/* SPDX-License-Identifier: Apache-2.0 */
/* Registers an exit handler that ends the process with a status of its own. */
#include "hostile.h"

#include <stdlib.h>
#include <unistd.h>

static void fail(void) {
    _exit(7);
}

static void misbehave(void) {
    atexit(fail);
}
