/* SPDX-License-Identifier: Apache-2.0
 *
 * The hexagon device, by way of the driver that the harness hands out.
 */
#ifndef HEXAGON_BASE_H
#define HEXAGON_BASE_H

#include "../device/device_base.h"
#include "hexagon_driver.h"

/* A device of the adapter's is a queue of its own. */
static inline const struct adi_hexagon_driver *base_driver(const struct adi_device *device) {
    return device->state;
}

/* An address as a buffer value, and back. */
static inline uint32_t base_address(const void *buffer) {
    return (uint32_t)(uintptr_t)buffer;
}

/* Queues it, and waits for nothing. */
int base_write_unwaited(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error);

#endif /* HEXAGON_BASE_H */
