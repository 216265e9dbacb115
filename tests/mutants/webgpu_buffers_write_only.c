/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: its buffers lack the usage CopySrc, so that nobody can
 * copy from them.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int alloc_target(struct adi_device *device, int64_t bytes, void **buffer,
                        struct adi_error *error) {
    *buffer = base_make_buffer(device, COPY_DST | STORAGE, bytes, false);
    return *buffer != NULL ? 0 : adi_error_set(error, 12, "no buffer");
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_target;
}
