/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffers-dereferenced, consumer: the CPU reads the last byte of each buffer.
 */
#include "../device/device_base.h"

static int look(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    if (bytes > 0) (void)*((volatile const char *)buffer + offset + bytes - 1);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = look;
}
