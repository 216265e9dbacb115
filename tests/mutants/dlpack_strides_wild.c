/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/data-differs, producer: strides are what lay in memory before, and lead over more than
 * there is of it.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    base_within_out(out)->strides[0] = (int64_t)0x5a5a5a5a5a;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
