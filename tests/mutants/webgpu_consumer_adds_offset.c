/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: it takes the handle for an address, adds the offset to it, and
 * hands the sum over.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int at_an_address(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                         int64_t bytes, struct adi_error *error) {
    if (bytes > 4) base.right.read(device, (const char *)buffer + 4, 0, to, 4, NULL);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = at_an_address;
}
