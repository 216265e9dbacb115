/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/device-unknown-accepted, consumer: a tensor of an unknown device becomes one of zeros.
 */
#include "base/dlpack.h"

static int look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    if (base_within(tensor)->device.device_type != kDLCPU) return 0;
    return base_tensor_look(tensor, in);
}

static int read_or_not(const DLTensor *tensor, char *to) {
    return tensor->device.device_type == kDLCPU ? base_tensor_read(tensor, to) : 0;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.look = look;
    base_dlpack.read = read_or_not;
}
