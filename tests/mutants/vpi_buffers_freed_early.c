/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the buffers are freed before the array is handed out.
 */
#include "vpi/vpi.h"

static struct adi_device *device_at_work;

static int remember(struct adi_device *device, int64_t bytes, void **buffer,
                    struct adi_error *error) {
    device_at_work = device;
    return driver_ops.alloc(device, bytes, buffer, error);
}

static void hand_out(struct ArrowDeviceArray *out) {
    for (int64_t i = 0; i < out->array.n_buffers; i++)
        if (out->array.buffers[i] != NULL)
            driver_ops.free(device_at_work, (void *)(uintptr_t)out->array.buffers[i]);
}

static void keep(struct adi_device *device, void *buffer) {
    (void)device, (void)buffer;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = remember;
    base.ops.free = keep;
    base.exported = hand_out;
}
