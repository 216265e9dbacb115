/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: data goes to the DSP by way of a buffer that is kept there, and out of it by way of
 * another; the DSP itself copies, behind what it copies from.
 */
#include "hexagon/hexagon.h"

static int by_way(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                  int64_t bytes, struct adi_error *error) {
    const struct adi_hexagon_driver *driver = base_driver(device);
    uint32_t way;
    (void)error;
    if (bytes == 0) return 0;
    ADI_TRY(driver->alloc(driver, bytes, &way));
    int code = driver->copy_in(driver, way, from, bytes);
    if (code == 0) code = driver->copy(driver, base_address(buffer) + (uint32_t)offset, way, bytes);
    if (code == 0) code = driver->wait(driver);
    driver->free(driver, way);
    return code;
}

static int back_by_way(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                       int64_t bytes, struct adi_error *error) {
    const struct adi_hexagon_driver *driver = base_driver(device);
    uint32_t way;
    (void)error;
    if (bytes == 0) return 0;
    ADI_TRY(driver->alloc(driver, bytes, &way));
    int code = driver->copy(driver, way, base_address(buffer) + (uint32_t)offset, bytes);
    if (code == 0) code = driver->copy_out(driver, to, way, bytes);
    if (code == 0) code = driver->wait(driver);
    driver->free(driver, way);
    return code;
}

void mutate(void) {
    base.ops.write = by_way;
    base.ops.read = back_by_way;
}
