/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback frees each buffer twice.
 */
#include "vpi/vpi.h"

static void twice(struct adi_device *device, void *buffer) {
    driver_ops.free(device, buffer);
    driver_ops.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = twice;
}
