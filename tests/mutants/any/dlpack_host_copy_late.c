/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/host-copy-not-finished, producer: a tensor on the CPU is handed out before it has been
 * filled.
 */
#include <string.h>

#include "../device/device_base.h"

static int read_later(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)device, (void)buffer, (void)offset, (void)error;
    memset(to, 0, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ops.read = read_later;
}
