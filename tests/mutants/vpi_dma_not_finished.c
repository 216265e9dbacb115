/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: the last command is started, and nobody lets the model tick until
 * it is done.
 */
#include "vpi/vpi.h"

static int start_only(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                      int64_t bytes, struct adi_error *error) {
    ADI_TRY(driver_ops.write(device, buffer, offset, from, bytes - 1, error));
    driver_start(ADI_VPI_DMA_WRITE, base_address(buffer) + (uint64_t)(offset + bytes - 1),
                 (const char *)from + bytes - 1, 1);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = start_only;
}
