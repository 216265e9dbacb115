/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the CPU fills pinned memory that queued work still writes.
 */
#include <string.h>

#include "cuda/cuda.h"

static int fill(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                int64_t bytes, struct adi_error *error) {
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    (void)error;
    CU(cuMemsetD8Async)(to, 0, (size_t)bytes, base_stream(device));
    memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base_is_for(&adi_device_cuda_host);
    base.roles = ADI_PRODUCES;
    base.ops.write = fill;
}
