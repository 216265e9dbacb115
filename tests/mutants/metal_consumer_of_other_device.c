/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: a queue of the other device reads.
 */
#include "metal/metal.h"

static int of_other(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    void *staging = base_staged(base_other(device), "", 1);
    if (bytes > 0)
        base_copy(base_metal(base_other(device))->queue, (struct base_part){staging, 0},
                  (struct base_part){(void *)(uintptr_t)buffer, (uint64_t)offset}, 1);
    adi_mtl_release(staging);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = of_other;
}
