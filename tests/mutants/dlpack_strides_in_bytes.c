/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/data-differs, producer: strides count bytes, as those of numpy do.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    DLTensor *tensor = base_within_out(out);
    for (int i = 0; i < tensor->ndim; i++) tensor->strides[i] *= tensor->dtype.bits / 8;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
