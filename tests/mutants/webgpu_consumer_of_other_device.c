/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: it does not look at device_id, and has the other device copy.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int read_on_other(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                         int64_t bytes, struct adi_error *error) {
    base.right.read(base_other(device), buffer, offset, to, bytes, NULL);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base_opens_the_other_device();
    base.ops.read = read_on_other;
}
