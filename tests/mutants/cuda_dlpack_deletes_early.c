/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/deleted-while-reading, consumer: the deleter is called while the copies are still queued;
 * they are waited for afterwards.
 */
#include "cuda/cuda.h"

static int read_later(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    CUdeviceptr from = base_address(buffer) + (CUdeviceptr)offset;
    (void)to, (void)error;
    return (int)CU(cuMemcpyDtoHAsync_v2)(base_staging(), from, (size_t)bytes, base_stream(device));
}

static void finish(struct adi_device *device) {
    CU(cuStreamSynchronize)(base_stream(device));
}

void mutate(void) {
    base.roles = ADI_CONSUMES_DLPACK;
    base.ops.read = read_later;
    base.released = finish;
}
