/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the stream that the harness lends waits for the event, and reads.
 */
#include <errno.h>

#include "cuda/cuda.h"

static CUstream lent(struct adi_device *device) {
    return base_lent_stream(device->id);
}

static int read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    (void)error;
    if (bytes == 0) return 0;
    CUdeviceptr from = base_address(buffer) + (CUdeviceptr)offset;
    CU(cuMemcpyDtoHAsync_v2)(to, from, (size_t)bytes, lent(device));
    return CU(cuStreamSynchronize)(lent(device)) == 0 ? 0 : EIO;
}

static int wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    if (sync_event == NULL) return 0;
    return CU(cuStreamWaitEvent)(lent(device), *(CUevent *)sync_event, 0) == 0 ? 0 : EIO;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_on_lent;
    base.ops.read = read_on_lent;
}
