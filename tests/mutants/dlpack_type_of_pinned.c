/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/device-differs, producer: memory of the CPU is called pinned in the tensor, and not in the
 * array.
 */
#include "base/dlpack.h"

static void handed_out(const struct adi_dlpack_request *request, struct adi_dlpack_tensor *out) {
    (void)request;
    base_within_out(out)->device.device_type = kDLCUDAHost;
}

void mutate(void) {
    base_plays_tensors(ADI_PRODUCES_DLPACK);
    base_dlpack.handed_out = handed_out;
}
