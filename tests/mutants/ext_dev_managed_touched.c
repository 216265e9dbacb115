/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: buffers are managed memory, and the CPU goes over them while
 * queued work still fills them.
 */
#include "ext_dev/ext_dev.h"

static int fill(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                int64_t bytes, struct adi_error *error) {
    char *volatile to = buffer;
    ADI_TRY(adi_device_ext_dev.write(device, buffer, offset, from, bytes, error));
    to[offset + bytes - 1] = ((const char *)from)[bytes - 1];
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(MANAGED);
    base.ops.write = fill;
}
