/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: each export leaves the command pool behind that it recorded with.
 */
#include "vulkan/vulkan_mutant.h"

static int leaves_pool(struct adi_device *device, void **sync_event, struct adi_error *error) {
    const uint32_t *family = device->ops->native_handle(device, "vulkan.queue_family");
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = *family};
    VkCommandPool pool;
    VK_TRY(error, CreateCommandPool, base_device(device), &info, NULL, &pool);
    return adi_device_vulkan.event(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = leaves_pool;
}
