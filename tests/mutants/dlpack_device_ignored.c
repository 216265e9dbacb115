/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/data-dereferenced, consumer: the device is not looked at.
 */
#include "base/dlpack.h"

static int look(const struct adi_dlpack_tensor *tensor, const struct adi_dlpack_array *in) {
    DLTensor *within = (DLTensor *)(uintptr_t)base_within(tensor);
    DLDeviceType was = within->device.device_type;
    within->device.device_type = kDLCPU;
    int code = base_tensor_look(tensor, in);
    within->device.device_type = was;
    return code;
}

void mutate(void) {
    base_plays_tensors(ADI_CONSUMES_DLPACK);
    base_dlpack.look = look;
}
