/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback destroys each buffer twice.
 */
#include "vulkan/vulkan_mutant.h"

static void twice(struct adi_device *device, void *buffer) {
    adi_vk.DeviceWaitIdle(base_device(device));
    adi_vk.DestroyBuffer(base_device(device), (VkBuffer)(uintptr_t)buffer, NULL);
    adi_vk.DestroyBuffer(base_device(device), (VkBuffer)(uintptr_t)buffer, NULL);
    adi_device_vulkan.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.free = twice;
}
