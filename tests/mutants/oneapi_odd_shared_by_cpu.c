/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: buffers are shared memory, which the CPU fills; nothing is queued.
 */
#include <string.h>

#include "oneapi/oneapi.h"

static int fill(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy(base_at(buffer, offset), from, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(MANAGED);
    base.ops.write = fill;
}
