/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer: buffers are read in whole kilobytes.
 */
#include "oneapi/oneapi.h"

static int in_kilobytes(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    if (bytes < 1024 && bytes > 0)
        base_copy_on(base_queue(device), base_staging(device), base_at(buffer, offset), 1024);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = in_kilobytes;
}
