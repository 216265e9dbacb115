/* SPDX-License-Identifier: Apache-2.0 */
/* Never returns, and uses a processor. */
#include "hostile.h"

static void misbehave(void) {
    for (volatile unsigned i = 0;; i++) {
    }
}
