/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: a command buffer is committed twice.
 */
#include "metal/metal.h"

static int commit_twice(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    void *staged = base_staged(device, from, bytes);
    if (staged == NULL) return adi_error_set(error, 12, "no staging");
    void *commands =
        base_encode_copy(base_metal(device)->queue, (struct base_part){buffer, (uint64_t)offset},
                         (struct base_part){staged, 0}, bytes);
    adi_mtl_commit(commands);
    adi_mtl_commit(commands);
    adi_mtl_release(commands);
    adi_mtl_release(staged);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = commit_twice;
}
