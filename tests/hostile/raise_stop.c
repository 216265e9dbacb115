/* SPDX-License-Identifier: Apache-2.0 */
/* Stops itself. */
#include "hostile.h"

#include <signal.h>

static void misbehave(void) {
    raise(SIGSTOP);
}
