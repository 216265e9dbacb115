/* SPDX-License-Identifier: Apache-2.0 */
/* Does not come back from being loaded. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {}

__attribute__((constructor)) static void hang(void) {
    for (;;) pause();
}
