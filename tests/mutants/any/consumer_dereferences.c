/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffers-dereferenced, consumer: buffers are copied by the CPU.
 */
#include <string.h>

#include "../device/device_base.h"

static int look(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    if (bytes > 0) memcpy(to, (const char *)buffer + offset, (size_t)bytes);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = look;
}
