/* SPDX-License-Identifier: Apache-2.0
 *
 * array/read-past-end, consumer: buffers are copied by the kibibyte.
 */
#include <stddef.h>

#include "webgpu/webgpu.h"

static int by_the_kibibyte(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                           int64_t bytes, struct adi_error *error) {
    static char room[1024];
    if (bytes > 0 && bytes < (int64_t)sizeof room)
        base.right.read(device, buffer, offset, room, sizeof room, NULL);
    return base.right.read(device, buffer, offset, to, bytes, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = by_the_kibibyte;
}
