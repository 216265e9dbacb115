/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: it writes on stream 0, and records its event on a stream that blocks, which comes behind
 * by itself.
 */
#include "rocm/rocm.h"

static int write_on_0(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                      int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    return (int)HIP(hipMemcpyAsync)(base_at(buffer, offset), from, (size_t)bytes, hipMemcpyDefault,
                                    NULL);
}

static int record(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static hipStream_t blocking[2];
    if (blocking[device->id] == NULL) HIP(hipStreamCreate)(&blocking[device->id]);
    return base.right.record_on(device, blocking[device->id], sync_event, error);
}

static void give_back(struct adi_device *device, void *buffer) {
    (void)device;
    HIP(hipFree)(buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = write_on_0;
    base.ops.event = record;
    base.ops.free = give_back;
}
