/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: it makes a copy of each buffer that it reads, and keeps it.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int copy_and_keep(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                         int64_t bytes, struct adi_error *error) {
    if (bytes >= 4)
        base_copy(device, (WGPU)(uintptr_t)buffer, 0,
                  base_make_buffer(device, COPY_DST, bytes, false), 0, 4);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = copy_and_keep;
}
