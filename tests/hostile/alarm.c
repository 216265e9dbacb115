/* SPDX-License-Identifier: Apache-2.0 */
/* Sets a timer that kills the process during a later case. */
#include "hostile.h"

#include <sys/time.h>

static void misbehave(void) {
    struct itimerval soon = {.it_value = {.tv_usec = 1000}};
    setitimer(ITIMER_REAL, &soon, NULL);
}
