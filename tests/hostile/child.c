/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves a child running. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    if (fork() == 0) {
        sleep(600);
        _exit(0);
    }
}
