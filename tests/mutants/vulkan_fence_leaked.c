/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: each import leaves the fence behind that it waited with.
 */
#include <dlfcn.h>

#include "vulkan/vulkan_mutant.h"

static int leaves_fence(struct adi_device *device, void *sync_event, struct adi_error *error) {
    static const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    PFN_vkCreateFence create;
    VkFence fence;
    *(void **)(void *)&create = dlsym(dlopen("libvulkan.so.1", RTLD_NOW), "vkCreateFence");
    create(base_device(device), &info, NULL, &fence);
    return adi_device_vulkan.wait(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = leaves_fence;
}
