/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback wipes each buffer, and frees it before the
 * engine is done.
 */
#include "vpi/vpi.h"

static void wipe_and_free(struct adi_device *device, void *buffer) {
    static const char zero[64];
    driver_start(ADI_VPI_DMA_WRITE, base_address(buffer), zero, sizeof zero);
    driver_ops.free(device, buffer);
    driver_finish();
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = wipe_and_free;
}
