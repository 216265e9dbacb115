/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a copy of each buffer is queued, and the array is released before it has run. There is one
 * queue, and the runtime keeps what its commands use.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int read_and_queue(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    int code = base_read(device, schema, in, host_out);
    for (int64_t i = 0; i < in->array.n_buffers; i++) {
        WGPU from = (WGPU)(uintptr_t)in->array.buffers[i];
        if (from == NULL || wgpu.BufferGetSize(from) < 4) continue;
        WGPU copy = base_make_buffer(device, COPY_DST, 4, false);
        base_copy(device, from, 0, copy, 0, 4);
        wgpu.BufferRelease(copy);
    }
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_and_queue;
}
