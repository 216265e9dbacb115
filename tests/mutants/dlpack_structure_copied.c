/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/tensor-moved, consumer: the structure is copied, and the deleter called with the copy.
 */
#include "base/dlpack.h"

static void end(const struct adi_dlpack_tensor *tensor) {
    static struct DLManagedTensorVersioned copy;
    if (tensor->versioned == NULL || tensor->versioned->deleter == NULL) return;
    copy = *tensor->versioned;
    copy.deleter(&copy);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.end = end;
}
