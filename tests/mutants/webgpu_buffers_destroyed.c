/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the buffers are destroyed when the array is handed out;
 * their handles are live.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static void destroy(struct ArrowDeviceArray *out) {
    for (int64_t i = 0; i < out->array.n_buffers; i++)
        if (out->array.buffers[i] != NULL)
            wgpu.BufferDestroy((WGPU)(uintptr_t)out->array.buffers[i]);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = destroy;
}
