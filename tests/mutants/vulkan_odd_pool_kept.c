/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a command pool that is made with the first export and kept, and a semaphore for each that
 * is given up again.
 */
#include "vulkan/vulkan_mutant.h"

static int keeps_pool(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static VkCommandPool pool;
    static const VkSemaphoreCreateInfo one = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const uint32_t *family = device->ops->native_handle(device, "vulkan.queue_family");
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = *family};
    VkSemaphore semaphore;
    if (pool == VK_NULL_HANDLE)
        VK_TRY(error, CreateCommandPool, base_device(device), &info, NULL, &pool);
    VK_TRY(error, CreateSemaphore, base_device(device), &one, NULL, &semaphore);
    adi_vk.DestroySemaphore(base_device(device), semaphore, NULL);
    return adi_device_vulkan.event(device, sync_event, error);
}

void mutate(void) {
    base.ops.event = keeps_pool;
}
