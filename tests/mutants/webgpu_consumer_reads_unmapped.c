/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: it looks at what a buffer was mapped to when that is not mapped
 * any more.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int read_unmapped(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                         int64_t bytes, struct adi_error *error) {
    WGPU staging = base_make_buffer(device, COPY_DST, 64, true);
    const volatile char *range = wgpu.BufferGetMappedRange(staging, 0, 64);
    wgpu.BufferUnmap(staging);
    if (range != NULL) (void)range[1];
    wgpu.BufferRelease(staging);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_unmapped;
}
