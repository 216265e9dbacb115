/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: a buffer value counts words of 32 bits, and so is no
 * address of the map.
 */
#include "vpi/vpi.h"

static void hand_out(struct ArrowDeviceArray *out) {
    for (int64_t i = 0; i < out->array.n_buffers; i++)
        out->array.buffers[i] = (const void *)(uintptr_t)(base_address(out->array.buffers[i]) / 4);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
}
