/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects that are counted, and no more: a fence or a pool that is made for each array and never
 * destroyed is a leak like a buffer.
 */
#include "vk_pause.h"

#define COUNTED(name, NAME)                                                                        \
    VkResult VKAPI_CALL seen_Create##name(VkDevice device, const Vk##name##CreateInfo *info,       \
                                          const VkAllocationCallbacks *allocator, Vk##name *out) { \
        VkResult result = NEXT_OF(device)->Create##name(device, info, allocator, out);             \
        objects_lock();                                                                            \
        if (result == VK_SUCCESS)                                                                  \
            objects_add((uint64_t)*out, ADI_VULKAN_##NAME, device, "vkCreate" #name);              \
        objects_unlock();                                                                          \
        return result;                                                                             \
    }                                                                                              \
    void VKAPI_CALL seen_Destroy##name(VkDevice device, Vk##name object,                           \
                                       const VkAllocationCallbacks *allocator) {                   \
        if (objects_end("vkDestroy" #name, (uint64_t)object, ADI_VULKAN_##NAME))                   \
            NEXT_OF(device)->Destroy##name(device, object, allocator);                             \
    }
#include "counted.def"
