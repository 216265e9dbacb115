/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/null-strides-misread, consumer: strides are looked at where they are NULL.
 */
#include "base/dlpack.h"

static int read_by_strides(const DLTensor *tensor, char *to) {
    volatile int64_t last = tensor->strides[tensor->ndim - 1];
    return last < 0 ? 1 : base_tensor_read(tensor, to);
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.read = read_by_strides;
}
