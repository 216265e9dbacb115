/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: the release callback leaves the buffers.
 */
#include "vulkan/vulkan_mutant.h"

static void leave(struct adi_device *device, void *buffer) {
    (void)device, (void)buffer;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = leave;
}
