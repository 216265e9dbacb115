/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory as a preloaded allocator (jemalloc, tcmalloc) gives it: none of it is the C library's, so
 * either's free refuses the other's blocks. To be preloaded; gives nothing back.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))
#define MARK   0x616c6c6f63ad1c0dULL

struct head {
    uint64_t mark;
    size_t bytes;
};

static uintptr_t next, end;

static void *take(size_t alignment, size_t bytes) {
    static atomic_flag taken = ATOMIC_FLAG_INIT;
    if (alignment < sizeof(struct head)) alignment = sizeof(struct head);
    while (atomic_flag_test_and_set(&taken)) continue;
    uintptr_t block = (next + sizeof(struct head) + alignment - 1) & ~(uintptr_t)(alignment - 1);
    if (block + bytes > end) {
        size_t room = (bytes + alignment + ((size_t)1 << 22)) & ~(size_t)4095;
        void *more = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED) abort();
        next = (uintptr_t)more;
        end = next + room;
        block = (next + sizeof(struct head) + alignment - 1) & ~(uintptr_t)(alignment - 1);
    }
    next = block + bytes;
    atomic_flag_clear(&taken);
    struct head *head = (struct head *)block - 1;
    *head = (struct head){MARK, bytes};
    return (void *)block;
}

EXPORT void *malloc(size_t bytes) {
    return take(16, bytes);
}

EXPORT void *calloc(size_t n, size_t bytes) {
    return memset(take(16, n * bytes), 0, n * bytes);
}

EXPORT void free(void *block) {
    if (block != NULL && ((struct head *)block)[-1].mark != MARK) abort();
}

EXPORT void *realloc(void *block, size_t bytes) {
    void *copy = take(16, bytes);
    if (block == NULL) return copy;
    size_t held = ((struct head *)block)[-1].bytes;
    return memcpy(copy, block, held < bytes ? held : bytes);
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes) {
    return take(alignment, bytes);
}

EXPORT void *memalign(size_t alignment, size_t bytes) {
    return take(alignment, bytes);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t bytes) {
    *out = take(alignment, bytes);
    return 0;
}
