/* SPDX-License-Identifier: Apache-2.0
 *
 * life/use-after-release, consumer: it takes a reference to what it has read, copies it once more
 * when the array is released, and gives the reference up.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static const void *last;

static int note(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                int64_t bytes, struct adi_error *error) {
    if (bytes > 0 && last == NULL) {
        last = buffer;
        wgpu.BufferAddRef((WGPU)(uintptr_t)buffer);
    }
    return base.right.read(device, buffer, offset, to, bytes, error);
}

static void read_again(struct adi_device *device) {
    int32_t word;
    if (last == NULL) return;
    base.right.read(device, last, 0, &word, sizeof word, NULL);
    wgpu.BufferRelease((WGPU)(uintptr_t)last);
    last = NULL;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = note;
    base.released = read_again;
}
