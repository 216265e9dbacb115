/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer. Planted: buffers begin behind a header, whose size is
 * added to the MTLBuffer as if that were an address.
 */
#include "metal/metal.h"

#define HEADER 64

static int alloc_behind_header(struct adi_device *device, int64_t bytes, void **buffer,
                               struct adi_error *error) {
    int code = base.right.alloc(device, bytes + HEADER, buffer, error);
    if (code == 0) *buffer = (char *)*buffer + HEADER;
    return code;
}

static int write_behind_header(struct adi_device *device, void *buffer, int64_t offset,
                               const void *from, int64_t bytes, struct adi_error *error) {
    return base.right.write(device, (char *)buffer - HEADER, offset + HEADER, from, bytes, error);
}

static void free_with_header(struct adi_device *device, void *buffer) {
    base.right.free(device, (char *)buffer - HEADER);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_behind_header;
    base.ops.write = write_behind_header;
    base.ops.free = free_with_header;
}
