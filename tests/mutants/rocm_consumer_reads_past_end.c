/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer: buffers are read in whole kilobytes.
 */
#include "rocm/rocm.h"

static int in_kilobytes(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    if (bytes < 1024 && bytes > 0) HIP(hipMemcpyAsync)
    (base_staging(), base_at(buffer, offset), 1024, hipMemcpyDefault, base_stream(device));
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = in_kilobytes;
}
