/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in front of malloc and its kin for the whole process and counts. What they return can be
 * given to the C library's own `free`. Not for sanitizer builds, which stand there themselves.
 */
#include <errno.h>
#include <stddef.h>

#include "bench.h"

#define PUBLIC __attribute__((visibility("default")))

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

/* Where two threads allocate at once, one of them may go uncounted. */
static int64_t calls;

static void count(void) {
    __atomic_store_n(&calls, __atomic_load_n(&calls, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

int64_t adi_bench_allocations(void) {
    return __atomic_load_n(&calls, __ATOMIC_RELAXED);
}

PUBLIC void *malloc(size_t bytes) {
    count();
    return __libc_malloc(bytes);
}

PUBLIC void *calloc(size_t n, size_t bytes) {
    count();
    return __libc_calloc(n, bytes);
}

PUBLIC void *realloc(void *old, size_t bytes) {
    count();
    return __libc_realloc(old, bytes);
}

PUBLIC void *memalign(size_t alignment, size_t bytes) {
    count();
    return __libc_memalign(alignment, bytes);
}

PUBLIC void *aligned_alloc(size_t alignment, size_t bytes) {
    count();
    return __libc_memalign(alignment, bytes);
}

PUBLIC int posix_memalign(void **out, size_t alignment, size_t bytes) {
    count();
    void *memory = __libc_memalign(alignment, bytes);
    if (memory == NULL) return ENOMEM;
    *out = memory;
    return 0;
}
