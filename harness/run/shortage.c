/* SPDX-License-Identifier: Apache-2.0 */
#include "shortage.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#define SOME ((size_t)64 << 20) /* bytes of address space: a library and what it brings */

bool adi_is_shortage(int code) {
    return code == ENOMEM || code == EMFILE || code == ENFILE || code == EAGAIN;
}

int adi_shortage(void) {
    int fd = dup(0);
    if (fd < 0 && errno != EBADF) return errno;
    if (fd >= 0) close(fd);
    void *space = mmap(NULL, SOME, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) return errno;
    munmap(space, SOME);
    return 0;
}
