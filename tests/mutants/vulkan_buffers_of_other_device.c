/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the buffers are those of another VkDevice.
 */
#include <string.h>

#include "vulkan/vulkan_mutant.h"

static int alloc_other(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = (VkDeviceSize)bytes,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    VkBuffer made;
    VK_TRY(error, CreateBuffer, base_other_device(device), &info, NULL, &made);
    memcpy(buffer, &made, sizeof made);
    return 0;
}

static void free_other(struct adi_device *device, void *buffer) {
    adi_vk.DestroyBuffer(base_other_device(device), (VkBuffer)(uintptr_t)buffer, NULL);
}

static int write_nothing(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                         int64_t bytes, struct adi_error *error) {
    (void)device, (void)buffer, (void)offset, (void)from, (void)bytes, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_other;
    base.ops.free = free_other;
    base.ops.write = write_nothing;
}
