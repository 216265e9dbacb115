/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the process while it is loaded. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {}

__attribute__((constructor)) static void leave(void) {
    _exit(0);
}
