/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/shape-invalid, producer: the first dimension is -1, as frameworks write a size that is not
 * known yet.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    base_within_out(out)->shape[0] = -1;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
