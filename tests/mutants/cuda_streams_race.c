/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: two streams write the same bytes, and both are joined for the
 * event, but not before the second write.
 */
#include "cuda/cuda.h"

static int write_twice(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    CU(cuMemsetD8Async)(to, 0, (size_t)bytes, base_second_stream(device));
    return adi_device_cuda.write(device, buffer, offset, from, bytes, error);
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
    base.ops.write = write_twice;
    base.ops.event = join;
}
