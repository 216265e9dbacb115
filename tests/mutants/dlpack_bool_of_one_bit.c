/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/type-malformed, producer: bool is said to have one bit, as it has with Arrow.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    DLTensor *tensor = base_within_out(out);
    (void)request;
    if (tensor->dtype.code == kDLBool) tensor->dtype.bits = 1;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
