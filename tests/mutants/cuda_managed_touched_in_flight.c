/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: the CPU goes over managed memory that queued work still fills.
 */
#include "cuda/cuda.h"

static int fill(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                int64_t bytes, struct adi_error *error) {
    char *volatile to = buffer;
    ADI_TRY(adi_device_cuda_managed.write(device, buffer, offset, from, bytes, error));
    to[offset + bytes - 1] = ((const char *)from)[bytes - 1];
    return 0;
}

void mutate(void) {
    base_is_for(&adi_device_cuda_managed);
    base.roles = ADI_PRODUCES;
    base.ops.write = fill;
}
