/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: the array is released while its copies are still queued;
 * they are waited for afterwards.
 */
#include "metal/metal.h"

#define ROOM (1 << 20)

static void *staging;

static int read_later(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)to, (void)error;
    if (staging == NULL)
        staging = adi_mtl_newBuffer(base_metal(device)->device, ROOM, ADI_METAL_SHARED);
    if (bytes > 0)
        base_copy(base_metal(device)->queue, (struct base_part){staging, 0},
                  (struct base_part){(void *)(uintptr_t)buffer, (uint64_t)offset}, bytes);
    return 0;
}

static void finish(struct adi_device *device) {
    base_drain(base_metal(device)->queue);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_later;
    base.released = finish;
}
