/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGES_AT_ONCE 64
#define PAGES_SINGLY  8 /* up to so many are looked at one by one */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uintptr_t page_bytes;
static void *(*first_poisoned)(void *, size_t);
static bool can_look; /* does the kernel answer as `look` needs it? */

/* The kernel copies a set of signals before it looks at what is to be done with it, which is
 * nothing that it knows. NULL it would take for no set. */
static bool look(uintptr_t at) {
    const int is_nothing = ~0, before = errno;
    at &= ~(uintptr_t)7;
    if (at == 0) return false;
    syscall(SYS_rt_sigprocmask, is_nothing, at, NULL, 8);
    bool is_readable = errno == EINVAL;
    errno = before;
    return is_readable;
}

/* By name, not as a weak symbol: the runtime may have been preloaded for an adapter only. */
static void look_around(void) {
    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    *(void **)&first_poisoned = dlsym(RTLD_DEFAULT, "__asan_region_is_poisoned");
    can_look = look((uintptr_t)&page_bytes) && !look(UINTPTR_MAX);
}

static uintptr_t page_of(uintptr_t at) {
    return at & ~(page_bytes - 1);
}

static int bad_address(uintptr_t address, struct adi_error *error) {
    return adi_error_set(error, EFAULT, "the memory at 0x%" PRIxPTR " is not readable", address);
}

/* One byte of each page through a system call, which fails where a load would kill. */
static int probe_by_pipe(uintptr_t at, uintptr_t last, struct adi_error *error) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return adi_error_set(error, errno, "pipe2: %s", strerror(errno));
    int code = 0;
    while (code == 0 && at <= last) {
        char byte;
        ssize_t written = write(ends[1], (const void *)at, 1);
        if (written == 1 && read(ends[0], &byte, 1) == 1)
            at = page_of(at) + page_bytes;
        else if (errno != EINTR)
            code = bad_address(at, error);
        if (at == 0) break;
    }
    close(ends[0]);
    close(ends[1]);
    return code;
}

/* A byte of each page. */
static int probe_singly(uintptr_t at, uintptr_t last, struct adi_error *error) {
    for (;; at = page_of(at) + page_bytes) {
        if (!look(at)) return bad_address(at, error);
        if (page_of(at) == page_of(last)) return 0;
    }
}

static int probe(uintptr_t at, uintptr_t last, struct adi_error *error) {
    if (can_look && page_of(last) - page_of(at) < PAGES_SINGLY * page_bytes)
        return probe_singly(at, last, error);
    while (at <= last) {
        char bytes[PAGES_AT_ONCE];
        struct iovec there[PAGES_AT_ONCE], here = {bytes, 0};
        for (uintptr_t next = at; here.iov_len < PAGES_AT_ONCE && next <= last && next >= at;
             next = page_of(next) + page_bytes)
            there[here.iov_len++] = (struct iovec){(void *)next, 1};

        ssize_t seen = process_vm_readv(getpid(), &here, 1, there, here.iov_len, 0);
        if (seen < 0 && errno != EFAULT) return probe_by_pipe(at, last, error);
        size_t good = seen < 0 ? 0 : (size_t)seen;
        if (good < here.iov_len) return bad_address((uintptr_t)there[good].iov_base, error);
        uintptr_t next = page_of((uintptr_t)there[good - 1].iov_base) + page_bytes;
        if (next < at) return 0;
        at = next;
    }
    return 0;
}

bool adi_host_is_readable(const void *from, size_t bytes) {
    uintptr_t first = (uintptr_t)from, last = first + bytes - 1;
    int before = errno;
    if (bytes == 0) return true;
    if (last < first) return false;
    pthread_once(&once, look_around);
    bool is_readable = probe(first, last, NULL) == 0;
    errno = before;
    return is_readable;
}

int adi_host_read(const void *from, int64_t offset, void *to, int64_t bytes,
                  struct adi_error *error) {
    if (bytes == 0) return 0;
    uintptr_t first = (uintptr_t)from + (uintptr_t)offset;
    uintptr_t last = first + (uintptr_t)bytes - 1;
    if (offset < 0 || bytes < 0 || first < (uintptr_t)from || last < first ||
        (uint64_t)bytes > UINTPTR_MAX)
        return adi_error_set(error, EFAULT,
                             "%" PRId64 " bytes at 0x%" PRIxPTR " + %" PRId64
                             " are not in the address space",
                             bytes, (uintptr_t)from, offset);

    pthread_once(&once, look_around);
    ADI_TRY(probe(first, last, error));
    void *poisoned = first_poisoned == NULL ? NULL : first_poisoned((void *)first, (size_t)bytes);
    if (poisoned != NULL)
        return adi_error_set(error, EFAULT,
                             "the memory at 0x%" PRIxPTR " is poisoned (AddressSanitizer)",
                             (uintptr_t)poisoned);
    memcpy(to, (const void *)first, (size_t)bytes);
    return 0;
}
