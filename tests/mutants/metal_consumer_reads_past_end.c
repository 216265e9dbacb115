/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer: buffers are read in whole kilobytes.
 */
#include "metal/metal.h"

static int in_kilobytes(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    static const char room[1024];
    if (bytes < (int64_t)sizeof room && bytes > 0) {
        void *staging = base_staged(device, room, sizeof room);
        base_copy(base_metal(device)->queue, (struct base_part){staging, 0},
                  (struct base_part){(void *)(uintptr_t)buffer, (uint64_t)offset}, sizeof room);
        adi_mtl_release(staging);
    }
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = in_kilobytes;
}
