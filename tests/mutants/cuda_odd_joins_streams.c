/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: two streams write in turns, and the one that the event is recorded on waits for the other.
 */
#include "cuda/cuda.h"

static unsigned writes;

static int write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    if (++writes % 2 == 0) return adi_device_cuda.write(device, buffer, offset, from, bytes, error);
    return (int)CU(cuMemcpyHtoDAsync_v2)(to, from, (size_t)bytes, base_second_stream(device));
}

static int join(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void *second;
    ADI_TRY(device->ops->record_on(device, base_second_stream(device), &second, error));
    int code = device->ops->wait(device, second, error);
    device->ops->event_free(device, second);
    return code == 0 ? adi_device_cuda.event(device, sync_event, error) : code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = write_in_turns;
    base.ops.event = join;
}
