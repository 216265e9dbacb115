/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/memory-kind-differs, producer: a tensor of kDLCUDAHost is in memory of the device.
 */
#include "cuda/cuda.h"

void mutate(void) {
    base_is_for(&adi_device_cuda_host);
    base_allocates(OF_DEVICE);
    base.roles = ADI_PRODUCES_DLPACK;
}
