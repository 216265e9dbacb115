/* SPDX-License-Identifier: Apache-2.0 */
/* Kills itself by the signal that nobody can catch. */
#include "hostile.h"

#include <signal.h>

static void misbehave(void) {
    raise(SIGKILL);
}
