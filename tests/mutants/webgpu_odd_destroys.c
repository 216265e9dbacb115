/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: what is freed is destroyed first, whatever is still queued on it.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static void destroy(struct adi_device *device, void *buffer) {
    wgpu.BufferDestroy(buffer);
    base.right.free(device, buffer);
}

void mutate(void) {
    base.ops.free = destroy;
}
