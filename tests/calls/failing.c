/* SPDX-License-Identifier: Apache-2.0
 *
 * The command, linked once more with the linker's --wrap around all that calls.def lists, so that
 * one call can fail: ADI_TEST_FAIL is "WHERE NAME N", where WHERE is `parent` or `worker`, and the
 * N-th call of NAME from our objects fails there, once in each process. When it does, the file
 * ADI_TEST_FAILED comes to be.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libxml/HTMLtree.h>
#include <libxml/xmlwriter.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "job.h"

static char wanted[64];
static atomic_int left; /* calls until the one that fails; 0: none does */

__attribute__((constructor)) static void read_setting(void) {
    char where[16];
    int number = 0;
    const char *setting = getenv("ADI_TEST_FAIL");
    bool worker = getenv(ADI_WORKER_VARIABLE) != NULL;
    if (setting != NULL && sscanf(setting, "%15s %63s %d", where, wanted, &number) == 3 &&
        strcmp(where, worker ? "worker" : "parent") == 0)
        left = number;
}

/* Nothing fails while a process is taken down. */
__attribute__((destructor)) static void forget_setting(void) {
    left = 0;
}

static bool fails(const char *called, int code) {
    if (left == 0 || strcmp(called, wanted) != 0 || atomic_fetch_sub(&left, 1) != 1) return false;
    const char *mark = getenv("ADI_TEST_FAILED");
    int fd = mark == NULL ? -1 : open(mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    errno = code;
    return true;
}

#define CALL(type, function, parameters, arguments, failure, code)                                 \
    type __real_##function parameters;                                                             \
    type __wrap_##function parameters;                                                             \
    type __wrap_##function parameters {                                                            \
        return fails(#function, code) ? (failure) : __real_##function arguments;                   \
    }
#include "calls.def"

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_asprintf(char **text, const char *format, ...);

/* Every command of ours takes a number or nothing. */
int __wrap_fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    return fails("fcntl", EMFILE) ? -1 : __real_fcntl(fd, command, argument);
}

int __wrap_asprintf(char **text, const char *format, ...) {
    va_list arguments;
    if (fails("asprintf", ENOMEM)) return -1;
    va_start(arguments, format);
    int length = vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}
