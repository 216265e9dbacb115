/* SPDX-License-Identifier: Apache-2.0
 *
 * How many bytes the process's allocator has handed out: a sanitizer's count where one is loaded,
 * else the C library's, which is exact only when it keeps no per-thread cache of freed blocks.
 */
#ifndef ADI_HEAP_H
#define ADI_HEAP_H

#include <stdint.h>

/* In GLIBC_TUNABLES: turns that cache off. Workers are started with it. */
#define ADI_HEAP_TUNABLE "glibc.malloc.tcache_count=0"

/* 0 where the count would not be exact. One thread. */
int64_t adi_heap_bytes(void);
/* About as many, also where the count would not be exact: some of what was freed may still be in
 * it, so that only what grows and grows says something. One thread. */
int64_t adi_heap_about(void);
/* The least that a lost block adds to the count, allowing for what the C library wastes: now 16
 * bytes of a block, now none. */
int64_t adi_heap_step(void);

#endif /* ADI_HEAP_H */
