/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, consumer: a buffer of its own goes while a queued command writes it.
 */
#include "vulkan/vulkan_mutant.h"

struct copied {
    VkBuffer from, to;
    VkBufferCopy range;
};

static void copy(VkCommandBuffer commands, void *copied_at) {
    const struct copied *copied = copied_at;
    adi_vk.CmdCopyBuffer(commands, copied->from, copied->to, 1, &copied->range);
}

static int read_and_drop(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                         int64_t bytes, struct adi_error *error) {
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = (VkDeviceSize)bytes,
                               .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkMemoryRequirements needs;
    VkDeviceMemory memory;
    struct copied copied = {.from = (VkBuffer)(uintptr_t)buffer,
                            .range = {(VkDeviceSize)offset, 0, (VkDeviceSize)bytes}};
    if (bytes == 0) return 0;
    VK_TRY(error, CreateBuffer, base_device(device), &info, NULL, &copied.to);
    adi_vk.GetBufferMemoryRequirements(base_device(device), copied.to, &needs);
    memory_info.allocationSize = needs.size;
    VK_TRY(error, AllocateMemory, base_device(device), &memory_info, NULL, &memory);
    VK_TRY(error, BindBufferMemory, base_device(device), copied.to, memory, 0);
    ADI_TRY(base_submit(device, copy, &copied));
    adi_vk.DestroyBuffer(base_device(device), copied.to, NULL);
    int code = adi_device_vulkan.read(device, buffer, offset, to, bytes, error);
    adi_vk.DeviceWaitIdle(base_device(device));
    adi_vk.FreeMemory(base_device(device), memory, NULL);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = adi_device_vulkan.wait_host;
    base.ops.read = read_and_drop;
}
