/* SPDX-License-Identifier: Apache-2.0 */
/* Forks until there are 600 processes. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    for (int i = 0; i < 600; i++) {
        if (fork() != 0) continue;
        sleep(600);
        _exit(0);
    }
    sleep(600);
}
