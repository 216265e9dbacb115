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

/* dlsym itself allocates and frees. If an adapter brings a sanitizer, malloc is the sanitizer's. */
#ifdef __GLIBC__
extern void __libc_free(void *block);
extern void __interceptor_free(void *block) __attribute__((weak));

IN_FRONT void free(void *block) {
    if (!adi_guard_keeps(block))
        (__interceptor_free != NULL ? __interceptor_free : __libc_free)(block);
}
#endif

#else

/* A sanitizer asks before it frees. */
IN_FRONT void __sanitizer_free_hook(const volatile void *block) {
    adi_guard_keeps((const void *)(uintptr_t)block);
}

#endif
