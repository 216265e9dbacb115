/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: a buffer value is the address of a WGPUBuffer, not the
 * WGPUBuffer.
 */
#include <stdlib.h>

#include "webgpu/webgpu.h"

static int alloc_place(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    void **place = malloc(sizeof *place);
    if (place == NULL || base.right.alloc(device, bytes, place, error) != 0) abort();
    *buffer = place;
    return 0;
}

static void free_place(struct adi_device *device, void *buffer) {
    base.right.free(device, *(void **)buffer);
    free(buffer);
}

static int write_there(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    return base.right.write(device, *(void **)buffer, offset, from, bytes, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_place;
    base.ops.free = free_place;
    base.ops.write = write_there;
}
