/* SPDX-License-Identifier: Apache-2.0 */
/* Sends the signal ADI_HOSTILE_SIGNAL to the process that started it. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "hostile.h"

static void misbehave(void) {
    const char *number = getenv("ADI_HOSTILE_SIGNAL");
    if (number != NULL) kill(getppid(), atoi(number));
}
