/* SPDX-License-Identifier: Apache-2.0 */
/* Writes 1 GB to standard error. */
#include "hostile.h"

#include <unistd.h>

static void misbehave(void) {
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 1 << 14; i++)
        if (write(STDERR_FILENO, line, sizeof line) < 0) return;
}
