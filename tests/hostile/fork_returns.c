/* SPDX-License-Identifier: Apache-2.0 */
/* Forks and returns in both processes. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    (void)!fork();
}
