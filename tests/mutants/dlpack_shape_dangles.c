/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/tensor-unreadable, producer: shape points to where nothing is.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    base_within_out(out)->shape = (int64_t *)64;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
