/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback gives each buffer up twice.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

static void twice(struct adi_device *device, void *buffer) {
    adi_device_opencl.free(device, buffer);
    adi_device_opencl.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = twice;
}
