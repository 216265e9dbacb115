/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "implementation.h"

void base_shows(void) {
    const char *path = getenv("ADI_SHOWS");
    int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (write(file, "shows\n", 6) < 0) abort();
    close(file);
}
