/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a consumer retains the buffers for as long as it reads.
 */
#include "metal/metal.h"

static int read_retained(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                         int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    void *held = adi_mtl_retain((void *)(uintptr_t)buffer);
    int code = base.right.read(device, buffer, offset, to, bytes, error);
    adi_mtl_release(held);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_retained;
}
