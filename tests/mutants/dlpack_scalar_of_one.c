/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/data-differs, producer: a tensor of no dimension is handed out as one of one element.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    DLTensor *tensor = base_within_out(out);
    (void)request;
    if (tensor->ndim > 0) return;
    tensor->ndim = 1;
    tensor->shape[0] = tensor->strides[0] = 1;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
