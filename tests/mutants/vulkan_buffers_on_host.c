/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the buffers are addresses of host memory.
 */
#include "vulkan/vulkan_mutant.h"

#include <errno.h>
#include <string.h>

static int alloc_host(struct adi_device *device, int64_t bytes, void **buffer,
                      struct adi_error *error) {
    (void)device, (void)error;
    *buffer = malloc((size_t)bytes);
    return *buffer == NULL ? ENOMEM : 0;
}

static void free_host(struct adi_device *device, void *buffer) {
    (void)device;
    free(buffer);
}

static int write_host(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                      int64_t bytes, struct adi_error *error) {
    (void)device, (void)error;
    memcpy((char *)buffer + offset, from, (size_t)bytes);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_host;
    base.ops.free = free_host;
    base.ops.write = write_host;
}
