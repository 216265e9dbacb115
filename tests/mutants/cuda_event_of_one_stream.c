/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: two streams write the buffers in turns, and the event is recorded
 * on one of them.
 */
#include "cuda/cuda.h"

static unsigned writes;

static int write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    if (++writes % 2 == 0) return adi_device_cuda.write(device, buffer, offset, from, bytes, error);
    return (int)CU(cuMemcpyHtoDAsync_v2)(to, from, (size_t)bytes, base_second_stream(device));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = write_in_turns;
}
