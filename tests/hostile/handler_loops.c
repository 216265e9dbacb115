/* SPDX-License-Identifier: Apache-2.0 */
/* Catches the fault that it makes, and makes it again. */
#include "hostile.h"

#include <signal.h>

static void again(int number) {
    (void)number;
}

static void misbehave(void) {
    struct sigaction action = {.sa_handler = again};
    sigaction(SIGSEGV, &action, NULL);
    fault();
}
