/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a consumer has a reference to each buffer while it reads, gives it up behind the release
 * of the array, and uses it no more.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static WGPU kept[4096];
static size_t n;

static int keep(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    if (bytes > 0 && n < sizeof kept / sizeof *kept) {
        kept[n] = (WGPU)(uintptr_t)buffer;
        wgpu.BufferAddRef(kept[n++]);
    }
    return base.right.read(device, buffer, offset, to, bytes, error);
}

static void give_up(struct adi_device *device) {
    (void)device;
    while (n > 0) wgpu.BufferRelease(kept[--n]);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = keep;
    base.released = give_up;
}
