/* SPDX-License-Identifier: Apache-2.0 */
#include "tensor.h"

atomic_int tensor_deleted;

static void delete_legacy(struct DLManagedTensor *self) {
    (void)self;
    tensor_deleted++;
}

static void delete_versioned(struct DLManagedTensorVersioned *self) {
    (void)self;
    tensor_deleted++;
}

void tensor_make(const DLTensor *what, uint32_t minor, uint64_t flags, struct tensor *out) {
    *out = (struct tensor){
        .legacy = {.dl_tensor = *what, .deleter = delete_legacy},
        .versioned = {.version = {1, minor},
                      .deleter = delete_versioned,
                      .flags = flags,
                      .dl_tensor = *what},
    };
}

/* Written apart from ref/: the address by the words of the header. */
const void *tensor_at(const DLTensor *tensor, const int64_t *at) {
    int64_t item = (tensor->dtype.bits * tensor->dtype.lanes + 7) / 8, elements = 0, size = 1;
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        elements += at[i] * (tensor->strides != NULL ? tensor->strides[i] : size);
        size *= tensor->shape[i];
    }
    return (const char *)tensor->data + tensor->byte_offset + elements * item;
}

void tensor_indices(const DLTensor *tensor, int64_t index, int64_t *at) {
    for (int i = tensor->ndim - 1; i >= 0; i--) {
        at[i] = index % tensor->shape[i];
        index /= tensor->shape[i];
    }
}
