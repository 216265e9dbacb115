/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves a daemon behind: a double fork and a session of its own. */
#include "hostile.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void misbehave(void) {
    pid_t child = fork();
    if (child > 0) waitpid(child, NULL, 0);
    if (child != 0) return;
    setsid();
    if (fork() == 0) {
        sleep(600);
    }
    _exit(0);
}
