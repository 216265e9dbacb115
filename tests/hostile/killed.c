/* SPDX-License-Identifier: Apache-2.0 */
/* Is ended by the signal ADI_HOSTILE_SIGNAL as often as the file ADI_HOSTILE_FILE has bytes left:
 * one is taken from it each time. What the machine does to an implementation that is correct. */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile.h"

static void misbehave(void) {
    struct stat status;
    const char *path = getenv("ADI_HOSTILE_FILE"), *number = getenv("ADI_HOSTILE_SIGNAL");
    if (path == NULL || number == NULL || stat(path, &status) != 0 || status.st_size == 0) return;
    signal(atoi(number), SIG_DFL);
    if (truncate(path, status.st_size - 1) == 0) raise(atoi(number));
}
