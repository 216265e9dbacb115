/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptions of the CUDA Array Interface written down in place:
 * `struct adi_cuda_array a = DESCRIPTION(3, "<f4", 0x1000, SHAPE(2, 3));` What is written down
 * lives as long as the block.
 */
#ifndef ADI_TESTS_DESCRIPTION_H
#define ADI_TESTS_DESCRIPTION_H

#include "cuda_array_interface.h"

#define G ADI_ENTRY_GIVEN

#define SHAPE(...)                                                                                 \
    .n_dimensions = sizeof((int64_t[]){__VA_ARGS__}) / 8, .shape = (const int64_t[]) {             \
        __VA_ARGS__                                                                                \
    }
#define STRIDES(...)                                                                               \
    .has_strides = G, .strides = (const int64_t[]) {                                               \
        __VA_ARGS__                                                                                \
    }
#define MANDATORY .has_shape = G, .has_typestr = G, .has_data = G, .has_version = G
#define DESCRIPTION(version_, typestr_, data_, ...)                                                \
    {                                                                                              \
        .size = sizeof(struct adi_cuda_array), MANDATORY, .version = version_,                     \
        .typestr = typestr_, .data = data_, __VA_ARGS__                                            \
    }

#endif /* ADI_TESTS_DESCRIPTION_H */
