/* SPDX-License-Identifier: Apache-2.0
 *
 * An implementation that asks for SIGSEGV or SIGBUS gets what is not the guard's, and no more: in
 * the command these stand in front of the C library's functions, for all that is loaded into it.
 * What goes past them (a system call, as the runtime of Go makes) holds until the call is over. A
 * sanitizer stands there itself.
 *
 * So does free: of what is no block of it the C library says no more than that.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"

#if defined(__has_feature)
#define IS_CLANG_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define IS_CLANG_SANITIZED 0
#endif

#define IN_FRONT __attribute__((visibility("default")))

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !IS_CLANG_SANITIZED

IN_FRONT int sigaction(int number, const struct sigaction *wanted, struct sigaction *before) {
    static int (*next)(int, const struct sigaction *, struct sigaction *);
    if (adi_guard_puts_behind(number, wanted, before)) return 0;
    if (next == NULL) {
        void *symbol = dlsym(RTLD_NEXT, "sigaction");
        memcpy(&next, &symbol, sizeof next);
    }
    return next(number, wanted, before);
}

/* Of BSD, as the C library's. */
IN_FRONT void (*signal(int number, void (*handler)(int)))(int) {
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    sigemptyset(&wanted.sa_mask);
    return sigaction(number, &wanted, &before) == 0 ? before.sa_handler : SIG_ERR;
}

#ifdef __GLIBC__
extern void *__libc_malloc(size_t bytes);
extern void __libc_free(void *block);
extern void __interceptor_free(void *block) __attribute__((weak));

/* malloc is not the C library's: an adapter brings a sanitizer, or the user an allocator. What
 * dlsym itself frees while it is asked is left alone. */
static void free_foreign(void *block) {
    static void (*next)(void *);
    static volatile bool asks; /* dlsym is declared as one that does not come back here */
    if (__interceptor_free != NULL) {
        __interceptor_free(block);
        return;
    }
    if (next == NULL && !asks) {
        asks = true;
        void *symbol = dlsym(RTLD_NEXT, "free");
        memcpy(&next, &symbol, sizeof next);
        asks = false;
    }
    if (next != NULL) next(block);
}

IN_FRONT void free(void *block) {
    static void *(*const volatile allocate)(size_t) = malloc;
    if (adi_guard_keeps(block)) return;
    (allocate == __libc_malloc ? __libc_free : free_foreign)(block);
}
#endif

#else

/* A sanitizer asks before it frees. */
IN_FRONT void __sanitizer_free_hook(const volatile void *block) {
    adi_guard_keeps((const void *)(uintptr_t)block);
}

#endif
