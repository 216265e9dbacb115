/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: a buffer value counts from the begin of the map, and so
 * is no address in it.
 */
#include "vpi/vpi.h"

static void hand_out(struct ArrowDeviceArray *out) {
    for (int64_t i = 0; i < out->array.n_buffers; i++)
        if (out->array.buffers[i] != NULL)
            out->array.buffers[i] = (const char *)out->array.buffers[i] - ADI_VPI_BASE;
}

static void give_back(struct adi_device *device, void *buffer) {
    driver_ops.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
    base.ops.free = give_back;
}
