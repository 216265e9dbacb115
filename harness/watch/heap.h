/* SPDX-License-Identifier: Apache-2.0
 *
 * How many bytes the process's allocator has handed out: a sanitizer's count where one is loaded,
 * else the C library's. Exact only when the C library keeps no per-thread cache of freed blocks:
 * workers are started with that cache turned off.
 */
#ifndef ADI_HEAP_H
#define ADI_HEAP_H

#include <stdint.h>

int64_t adi_heap_bytes(void);

#endif /* ADI_HEAP_H */
