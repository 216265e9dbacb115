/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes once: not when the file named by ADI_HOSTILE_FILE is there, which it makes. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "hostile.h"

static void misbehave(void) {
    const char *path = getenv("ADI_HOSTILE_FILE");
    int fd = path == NULL ? -1 : open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0) return;
    close(fd);
    fault();
}
