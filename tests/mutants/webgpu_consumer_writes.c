/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: it reads, and puts back what it has read.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int read_and_put_back(struct adi_device *device, const void *buffer, int64_t offset,
                             void *to, int64_t bytes, struct adi_error *error) {
    ADI_TRY(base.right.read(device, buffer, offset, to, bytes, error));
    if (bytes >= 4 && offset % 4 == 0)
        wgpu.QueueWriteBuffer(base_on(device)->queue, (WGPU)(uintptr_t)buffer, (uint64_t)offset, to,
                              4);
    return base_finish(device, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_put_back;
}
