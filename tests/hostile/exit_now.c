/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the process at once, with no handler called. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    _exit(0);
}
