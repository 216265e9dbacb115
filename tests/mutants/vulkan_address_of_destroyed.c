/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the buffers are handed out by their VkDeviceAddress, and
 * are destroyed by then.
 */
#include "vulkan/vulkan_mutant.h"

static void give_up(struct ArrowDeviceArray *out) {
    adi_vk.DeviceWaitIdle(base_device(base_last()));
    for (int64_t i = 0; i < out->array.n_buffers; i++)
        adi_device_vulkan.free(base_last(), (void *)(uintptr_t)out->array.buffers[i]);
}

static void leave(struct adi_device *device, void *buffer) {
    (void)device, (void)buffer;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = base_alloc_address;
    base.ops.free = leave;
    base.exported = give_up;
}
