/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback frees each buffer twice.
 */
#include "../device/device_base.h"

static void twice(struct adi_device *device, void *buffer) {
    base.right.free(device, buffer);
    base.right.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = twice;
}
