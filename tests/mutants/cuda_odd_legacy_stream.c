/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: it writes on the legacy default stream, and records its event on a blocking one, which
 * comes behind by itself.
 */
#include "cuda/cuda.h"

static CUstream blocking;

static int write_legacy(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    (void)device, (void)error;
    return (int)CU(cuMemcpyHtoDAsync_v2)(to, from, (size_t)bytes, NULL);
}

static int record(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (blocking == NULL) CU(cuStreamCreate)(&blocking, 0);
    return device->ops->record_on(device, blocking, sync_event, error);
}

static void wait_and_free(struct adi_device *device, void *buffer) {
    (void)device;
    CU(cuStreamSynchronize)(NULL);
    CU(cuMemFree_v2)(base_address(buffer));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = write_legacy;
    base.ops.event = record;
    base.ops.free = wait_and_free;
}
