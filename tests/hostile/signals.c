/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks every signal and ignores what it cannot block. */
#include "hostile.h"

#include <signal.h>

static void misbehave(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
}
