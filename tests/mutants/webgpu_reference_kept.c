/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: the release callback gives up one of two references to each buffer.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int alloc_twice(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    ADI_TRY(base.right.alloc(device, bytes, buffer, error));
    wgpu.BufferAddRef(*buffer);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_twice;
}
