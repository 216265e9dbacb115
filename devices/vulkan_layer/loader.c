/* SPDX-License-Identifier: Apache-2.0
 *
 * How the loader takes the layer in: a list of links at the creation of an instance and of a
 * device, each of which knows where the calls go from there.
 */
#include <string.h>
#include <vulkan/vk_layer.h>

#include "vk_pause.h"

#define INSTANCES 16

static struct instance {
    const void *key; /* NULL: free */
    PFN_vkGetInstanceProcAddr get;
    PFN_vkDestroyInstance destroy;
} instances[INSTANCES];

static PFN_vkGetInstanceProcAddr getter_of(const void *handle) {
    PFN_vkGetInstanceProcAddr get = NULL;
    objects_lock();
    for (size_t i = 0; i < INSTANCES; i++)
        if (instances[i].key == chain_key(handle)) get = instances[i].get;
    objects_unlock();
    return get;
}

/* ---- instances ---- */

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *allocator,
                                           VkInstance *out) {
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
    while (link != NULL && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                            link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)(uintptr_t)link->pNext;
    if (link == NULL) return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = create(info, allocator, out);
    if (result != VK_SUCCESS) return result;
    /* Asked later, the loader would answer with what stands at the head of the list. */
    PFN_vkDestroyInstance destroy = (PFN_vkDestroyInstance)get(*out, "vkDestroyInstance");
    objects_lock();
    size_t i = 0;
    while (i < INSTANCES && instances[i].key != NULL) i++;
    if (i < INSTANCES) instances[i] = (struct instance){chain_key(*out), get, destroy};
    objects_unlock();
    if (i < INSTANCES) return VK_SUCCESS;
    destroy(*out, allocator);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void VKAPI_CALL destroy_instance(VkInstance instance,
                                        const VkAllocationCallbacks *allocator) {
    if (instance == NULL) return;
    objects_lock();
    struct instance *known = instances;
    while (known->key != chain_key(instance)) known++;
    PFN_vkDestroyInstance destroy = known->destroy;
    known->key = NULL;
    objects_unlock();
    destroy(instance, allocator);
}

/* ---- devices ---- */

static bool has_timelines(const VkBaseInStructure *feature) {
    for (; feature != NULL; feature = feature->pNext) {
        if (feature->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES &&
            ((const VkPhysicalDeviceVulkan12Features *)feature)->timelineSemaphore)
            return true;
        if (feature->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES &&
            ((const VkPhysicalDeviceTimelineSemaphoreFeatures *)feature)->timelineSemaphore)
            return true;
    }
    return false;
}

/* Without a semaphore the device cannot be paused, and works all the same. */
static void make_pause_semaphore(struct device *device) {
    static const VkSemaphoreTypeCreateInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    static const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                               .pNext = &timeline};
    if (device->next.CreateSemaphore(device->handle, &info, NULL, &device->pause_semaphore) !=
        VK_SUCCESS)
        device->pause_semaphore = VK_NULL_HANDLE;
}

static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *allocator, VkDevice *out) {
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)(uintptr_t)info->pNext;
    while (link != NULL && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                            link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *)(uintptr_t)link->pNext;
    if (link == NULL) return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(NULL, "vkCreateDevice");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    struct device *device = chain_room();
    if (device == NULL) return VK_ERROR_TOO_MANY_OBJECTS;
    VkResult result = create(physical, info, allocator, out);
    if (result != VK_SUCCESS) return result;
    chain_take_in(device, *out, get);
    if (has_timelines(info->pNext)) make_pause_semaphore(device);
    return VK_SUCCESS;
}

static void VKAPI_CALL destroy_device(VkDevice handle, const VkAllocationCallbacks *allocator) {
    if (handle == NULL) return;
    struct device *device = chain_device(handle);
    PFN_vkDestroyDevice destroy = device->next.DestroyDevice;
    if (queues_are_stopped(device)) queues_resume();
    device->next.DestroySemaphore(handle, device->pause_semaphore, NULL);
    objects_lock();
    objects_die_with(handle);
    *device = (struct device){0};
    objects_unlock();
    destroy(handle, allocator);
}

/* ---- names ---- */

static PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name);

static const struct {
    const char *name;
    PFN_vkVoidFunction function;
} own[] = {
    {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
    {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
    {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device},
#define NEXT(name)
#define OWN(name) {"vk" #name, (PFN_vkVoidFunction)seen_##name},
#include "calls.def"
};

static PFN_vkVoidFunction find(const char *name) {
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, name) == 0) return own[i].function;
    return NULL;
}

/* What is not there below is not there. */
static PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name) {
    PFN_vkVoidFunction function = find(name), next = chain_device(device)->get(device, name);
    return function != NULL && next != NULL ? function : next;
}

static PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance instance, const char *name) {
    if (strcmp(name, "vkCreateInstance") == 0) return (PFN_vkVoidFunction)create_instance;
    if (strcmp(name, "vkDestroyInstance") == 0) return (PFN_vkVoidFunction)destroy_instance;
    if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (PFN_vkVoidFunction)get_instance;
    PFN_vkVoidFunction function = find(name);
    return function != NULL || instance == NULL ? function : getter_of(instance)(instance, name);
}

__attribute__((visibility("default"))) VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *offer) {
    offer->loaderLayerInterfaceVersion = 2;
    offer->pfnGetInstanceProcAddr = get_instance;
    offer->pfnGetDeviceProcAddr = get_device;
    offer->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
