/* SPDX-License-Identifier: Apache-2.0 */
/* Never returns, and uses nothing. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    for (;;) pause();
}
