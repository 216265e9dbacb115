/* SPDX-License-Identifier: Apache-2.0
 *
 * A consumer that reads by way of a secondary command buffer.
 */
#ifndef VULKAN_EXECUTES_H
#define VULKAN_EXECUTES_H

#include <dlfcn.h>

#include "vulkan_mutant.h"

static const VkMemoryBarrier everything_is_seen = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                                   .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                                   .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};

static struct reading {
    struct adi_device *device;
    VkEvent event; /* NULL: nothing is waited for */
    VkBuffer from, own;
    VkBufferCopy range;
    VkCommandPool pool;
} reading;

/* Copies `reading`, behind its event, in a command buffer of its own that `commands` executes. */
static void execute(VkCommandBuffer commands, void *unused) {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW);
    PFN_vkCmdExecuteCommands execute_commands;
    *(void **)(void *)&execute_commands = dlsym(library, "vkCmdExecuteCommands");
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = reading.pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                        .commandBufferCount = 1};
    VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo once = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
                                     .pInheritanceInfo = &inherited};
    VkCommandBuffer second;
    (void)unused;
    adi_vk.AllocateCommandBuffers(base_device(reading.device), &info, &second);
    adi_vk.BeginCommandBuffer(second, &once);
    if (reading.event != VK_NULL_HANDLE)
        adi_vk.CmdWaitEvents(second, 1, &reading.event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 1, &everything_is_seen, 0, NULL, 0,
                             NULL);
    adi_vk.CmdCopyBuffer(second, reading.from, reading.own, 1, &reading.range);
    adi_vk.EndCommandBuffer(second);
    execute_commands(commands, 1, &second);
}

static int read_by_executing(struct adi_device *device, const void *buffer, int64_t offset,
                             void *to, int64_t bytes, struct adi_error *error) {
    const uint32_t *family = device->ops->native_handle(device, "vulkan.queue_family");
    VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = *family};
    void *own;
    if (bytes == 0) return 0;
    ADI_TRY(adi_device_vulkan.alloc(device, bytes, &own, error));
    reading.device = device;
    reading.from = (VkBuffer)(uintptr_t)buffer;
    reading.own = (VkBuffer)(uintptr_t)own;
    reading.range = (VkBufferCopy){(VkDeviceSize)offset, 0, (VkDeviceSize)bytes};
    VK_TRY(error, CreateCommandPool, base_device(device), &info, NULL, &reading.pool);
    int code = base_submit(device, execute, NULL);
    adi_vk.DeviceWaitIdle(base_device(device));
    adi_vk.DestroyCommandPool(base_device(device), reading.pool, NULL);
    if (code == 0) code = adi_device_vulkan.read(device, own, 0, to, bytes, error);
    adi_device_vulkan.free(device, own);
    return code;
}

#endif /* VULKAN_EXECUTES_H */
