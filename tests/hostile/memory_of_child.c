/* SPDX-License-Identifier: Apache-2.0 */
/* Has 10 GB of memory written to by a child. */
#include "hostile.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void misbehave(void) {
    pid_t child = fork();
    if (child > 0) waitpid(child, NULL, 0);
    for (int i = 0; child == 0 && i < 10 * 1024; i++) {
        char *volatile piece = malloc(1 << 20);
        if (piece != NULL) memset(piece, i | 1, 1 << 20);
    }
    if (child == 0) _exit(0);
}
