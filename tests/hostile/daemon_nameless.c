/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves a daemon behind that was started with an empty environment. */
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
        char *words[] = {(char[]){"sleep"}, (char[]){"600"}, NULL}, *nothing[] = {NULL};
        execve("/bin/sleep", words, nothing);
    }
    _exit(0);
}
