/* SPDX-License-Identifier: Apache-2.0
 *
 * Offsets and sizes that depend on the machine.
 */
#ifndef ADI_TESTS_ABI_LAYOUT_H
#define ADI_TESTS_ABI_LAYOUT_H

#include <stdint.h>

#if UINTPTR_MAX == UINT64_MAX
#define BITS(on_64, on_32) (on_64)
#else
#define BITS(on_64, on_32) (on_32)
#endif

/* Where int64_t is aligned to 4 bytes (i386), to 8 (arm). */
#define ALIGNED(on_64, on_32_by_8, on_32_by_4)                                                     \
    BITS(on_64, _Alignof(int64_t) == 8 ? (on_32_by_8) : (on_32_by_4))

#endif /* ADI_TESTS_ABI_LAYOUT_H */
