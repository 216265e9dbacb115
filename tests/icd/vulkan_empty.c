/* SPDX-License-Identifier: Apache-2.0
 *
 * A Vulkan driver on a machine that has no device for it.
 */
#include <string.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan_core.h>

#define SHOWN __attribute__((visibility("default"))) VKAPI_ATTR

/* What the loader needs to find at the beginning of a dispatchable object. */
static VK_LOADER_DATA instance;

static VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkInstance *out) {
    (void)info;
    (void)allocator;
    set_loader_magic_value(&instance);
    *out = (VkInstance)&instance;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance of,
                                                   const VkAllocationCallbacks *allocator) {
    (void)of;
    (void)allocator;
}

static VKAPI_ATTR VkResult VKAPI_CALL count_extensions(const char *layer, uint32_t *count,
                                                       VkExtensionProperties *out) {
    (void)layer;
    (void)out;
    *count = 0;
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL count_devices(VkInstance of, uint32_t *count,
                                                    VkPhysicalDevice *out) {
    (void)of;
    (void)out;
    *count = 0;
    return VK_SUCCESS;
}

/* The loader wants every instance-level call to be there; none comes without a device. */
static VKAPI_ATTR void VKAPI_CALL nothing(void) {}

static const struct {
    const char *name;
    PFN_vkVoidFunction call;
} calls[] = {
    {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
    {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
    {"vkEnumerateInstanceExtensionProperties", (PFN_vkVoidFunction)count_extensions},
    {"vkEnumeratePhysicalDevices", (PFN_vkVoidFunction)count_devices},
    {"vkEnumerateInstanceVersion", NULL},
};

SHOWN PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance of, const char *name);
SHOWN VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);

PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance of, const char *name) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0) return calls[i].call;
    return of == NULL ? NULL : nothing;
}

VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
    if (*version > 5) *version = 5;
    return VK_SUCCESS;
}
