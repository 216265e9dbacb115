/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the buffers are released when the array is handed out.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

static void hand_out(struct ArrowDeviceArray *out) {
    for (int64_t i = 0; i < out->array.n_buffers; i++)
        if (out->array.buffers[i] != NULL)
            base_api->clReleaseMemObject((cl_mem)(uintptr_t)out->array.buffers[i]);
}

static void keep(struct adi_device *device, void *buffer) {
    (void)device, (void)buffer;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
    base.ops.free = keep;
}
