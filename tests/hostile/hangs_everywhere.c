/* SPDX-License-Identifier: Apache-2.0 */
/* Hangs in every call. */
#include "everywhere.h"

#include <unistd.h>

static void misbehave(void) {
    for (;;) pause();
}
