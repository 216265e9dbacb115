/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: buffers begin behind a header of eight bytes, and so are aligned to every type.
 */
#include "../device/device_base.h"

static int alloc_behind_header(struct adi_device *device, int64_t bytes, void **buffer,
                               struct adi_error *error) {
    int code = base.right.alloc(device, bytes + 8, buffer, error);
    if (code == 0) *buffer = (char *)*buffer + 8;
    return code;
}

static void free_with_header(struct adi_device *device, void *buffer) {
    base.right.free(device, (char *)buffer - 8);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_behind_header;
    base.ops.free = free_with_header;
}
