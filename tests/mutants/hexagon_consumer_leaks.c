/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: it takes memory of the DSP for each buffer that it reads, and keeps
 * it.
 */
#include "hexagon/hexagon.h"

static int copy_and_keep(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                         int64_t bytes, struct adi_error *error) {
    const struct adi_hexagon_driver *driver = base_driver(device);
    uint32_t address;
    if (bytes > 0) {
        ADI_TRY(driver->alloc(driver, bytes, &address));
        ADI_TRY(driver->copy(driver, address, base_address(buffer) + (uint32_t)offset, bytes));
    }
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = copy_and_keep;
}
