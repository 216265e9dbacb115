/* SPDX-License-Identifier: Apache-2.0 */
/* Moves to the process group of its parent, then never returns. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    setpgid(0, getpgid(getppid()));
    for (;;) pause();
}
