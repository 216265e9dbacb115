/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer: buffers are read in whole kilobytes.
 */
#include "ext_dev/ext_dev.h"

static int in_kilobytes(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    static char room[1024];
    if (bytes < 1024 && bytes > 0)
        SIM(copy)(base_queue(device), room, (const char *)buffer + offset, sizeof room, 0);
    return adi_device_ext_dev.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = in_kilobytes;
}
