/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: every copy goes through one buffer in shared storage, which the
 * CPU fills for the next one while the copy before is still queued.
 */
#include "metal/metal.h"

#include <string.h>

#define ROOM 4096

static void *staging;

static int staged(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                  int64_t bytes, struct adi_error *error) {
    if (bytes > ROOM) return base.right.write(device, buffer, offset, from, bytes, error);
    if (staging == NULL)
        staging = adi_mtl_newBuffer(base_metal(device)->device, ROOM, ADI_METAL_SHARED);
    char *contents = adi_mtl_contents(staging);
    /* The first byte first: a touch of other bytes would open the page for the rest of the copy. */
    *(volatile char *)contents = *(const char *)from;
    memcpy(contents, from, (size_t)bytes);
    base_copy(base_metal(device)->queue, (struct base_part){buffer, (uint64_t)offset},
              (struct base_part){staging, 0}, bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = staged;
}
