/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "vulkan_mutant.h"

VkDevice base_device(struct adi_device *device) {
    return (VkDevice)(uintptr_t)device->ops->native_handle(device, "vulkan.device");
}

VkDevice base_other_device(struct adi_device *device) {
    static VkDevice other;
    static const float priority = 1;
    const uint32_t *family = device->ops->native_handle(device, "vulkan.queue_family");
    VkPhysicalDevice physical =
        (VkPhysicalDevice)(uintptr_t)device->ops->native_handle(device, "vulkan.physical_device");
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = *family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    if (other == NULL && adi_vk.CreateDevice(physical, &info, NULL, &other) != VK_SUCCESS)
        other = NULL;
    return other;
}

int base_alloc_address(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    ADI_TRY(adi_device_vulkan.alloc(device, bytes, buffer, error));
    memcpy(&info.buffer, buffer, sizeof info.buffer);
    *buffer = (void *)(uintptr_t)adi_vk.GetBufferDeviceAddress(base_device(device), &info);
    return 0;
}

int base_submit(struct adi_device *device, void (*record)(VkCommandBuffer, void *context),
                void *context) {
    static VkCommandPool pool; /* goes with the process */
    const uint32_t *family = device->ops->native_handle(device, "vulkan.queue_family");
    VkQueue queue = (VkQueue)(uintptr_t)device->ops->native_handle(device, "vulkan.queue");
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = *family};
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandBufferCount = 1};
    VkCommandBufferBeginInfo once = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkCommandBuffer commands;
    VkSubmitInfo batch = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &commands};
    if (pool == VK_NULL_HANDLE)
        VK_TRY(NULL, CreateCommandPool, base_device(device), &pool_info, NULL, &pool);
    info.commandPool = pool;
    VK_TRY(NULL, AllocateCommandBuffers, base_device(device), &info, &commands);
    VK_TRY(NULL, BeginCommandBuffer, commands, &once);
    record(commands, context);
    VK_TRY(NULL, EndCommandBuffer, commands);
    return VK_CALL(NULL, QueueSubmit, queue, 1, &batch, VK_NULL_HANDLE);
}

int base_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent *made = malloc(sizeof *made);
    if (made == NULL) return ENOMEM;
    *sync_event = made;
    return VK_CALL(error, CreateEvent, base_device(device), &info, NULL, made);
}

void base_event_free(struct adi_device *device, void *sync_event) {
    adi_vk.DestroyEvent(base_device(device), *(VkEvent *)sync_event, NULL);
    free(sync_event);
}
