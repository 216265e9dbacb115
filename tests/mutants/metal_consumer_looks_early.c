/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, consumer: it commits copies into shared storage of its own, and looks
 * there before they have been waited for.
 */
#include "metal/metal.h"

#include <string.h>

#define ROOM (1 << 20)

static void *staging;

static int look_early(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    if (staging == NULL)
        staging = adi_mtl_newBuffer(base_metal(device)->device, ROOM, ADI_METAL_SHARED);
    if (bytes == 0 || bytes > ROOM)
        return base.right.read(device, buffer, offset, to, bytes, error);
    base_copy(base_metal(device)->queue, (struct base_part){staging, 0},
              (struct base_part){(void *)(uintptr_t)buffer, (uint64_t)offset}, bytes);
    const char *contents = adi_mtl_contents(staging);
    (void)*(const volatile char *)contents;
    base_drain(base_metal(device)->queue);
    memcpy(to, contents, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = look_early;
}
