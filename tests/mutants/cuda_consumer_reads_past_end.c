/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer: buffers are read in whole kilobytes.
 */
#include "cuda/cuda.h"

static int in_kilobytes(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    CUdeviceptr from = base_address(buffer) + (CUdeviceptr)offset;
    if (bytes < 1024 && bytes > 0)
        CU(cuMemcpyDtoHAsync_v2)(base_staging(), from, 1024, base_stream(device));
    return adi_device_cuda.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = in_kilobytes;
}
