/* SPDX-License-Identifier: Apache-2.0
 *
 * A managed tensor written down in place, in either layout; its deleter only counts. It lives as
 * long as its block.
 */
#ifndef ADI_TESTS_TENSOR_H
#define ADI_TESTS_TENSOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dlpack.h"

struct tensor {
    struct DLManagedTensor legacy;
    struct DLManagedTensorVersioned versioned;
};

/* Of all tensors of the test. */
extern atomic_int tensor_deleted;

/* `what` in both layouts, of version 1.`minor`. */
void tensor_make(const DLTensor *what, uint32_t minor, uint64_t flags, struct tensor *out);

static inline struct adi_dlpack tensor_of(struct tensor *tensor, bool is_versioned) {
    return is_versioned ? (struct adi_dlpack){NULL, &tensor->versioned}
                        : (struct adi_dlpack){&tensor->legacy, NULL};
}

/* The element at `at` (`ndim` indices) of a tensor that the CPU can read. */
const void *tensor_at(const DLTensor *tensor, const int64_t *at);

/* The row-major number `index` as indices. */
void tensor_indices(const DLTensor *tensor, int64_t index, int64_t *at);

#define LIST(...)                                                                                  \
    (int64_t[]) {                                                                                  \
        __VA_ARGS__                                                                                \
    }

#endif /* ADI_TESTS_TENSOR_H */
