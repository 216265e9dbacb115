/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: a buffer is made that may be used for nothing. The validation
 * layer says so.
 */
#include "vulkan/vulkan_mutant.h"

static int alloc_badly(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    static const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                            .size = 16};
    VkBuffer useless;
    if (adi_vk.CreateBuffer(base_device(device), &info, NULL, &useless) == VK_SUCCESS)
        adi_vk.DestroyBuffer(base_device(device), useless, NULL);
    return adi_device_vulkan.alloc(device, bytes, buffer, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_badly;
}
