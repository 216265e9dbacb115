/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback frees each buffer twice.
 */
#include "cuda/cuda.h"

static void twice(struct adi_device *device, void *buffer) {
    adi_device_cuda.free(device, buffer);
    adi_device_cuda.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = twice;
}
