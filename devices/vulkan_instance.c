/* SPDX-License-Identifier: Apache-2.0 */
#include "vulkan_instance.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "vulkan.h"
#include "vulkan_layer.h"

#define LAYER   "VK_LAYER_KHRONOS_validation"
#define MANY    64 /* layers, extensions, families; libraries of a driver */
#define NO_TYPE UINT32_MAX

static struct {
    struct adi_vulkan_instance instance;
    int users;
    bool validate;
} shared;

static bool has_layer(void) {
    VkLayerProperties layers[MANY];
    uint32_t count = MANY;
    adi_vk.EnumerateInstanceLayerProperties(&count, layers);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(layers[i].layerName, LAYER) == 0) return true;
    return false;
}

int adi_vulkan_validate(bool on, struct adi_error *error) {
    ADI_TRY(adi_vulkan_load(error));
    if (on && !has_layer())
        return adi_error_set(error, ENOENT,
                             "there is no " LAYER "; on Debian it is in vulkan-validationlayers");
    shared.validate = on;
    return 0;
}

static bool has_debug_utils(void) {
    VkExtensionProperties extensions[MANY];
    uint32_t count = MANY;
    adi_vk.EnumerateInstanceExtensionProperties(NULL, &count, extensions);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(extensions[i].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) == 0)
            return true;
    return false;
}

/* What was loaded after the `skip` first libraries. */
struct drivers {
    size_t skip, seen, count;
    char paths[MANY][256];
};

static int list(struct dl_phdr_info *library, size_t size, void *to) {
    struct drivers *drivers = to;
    (void)size;
    if (drivers->seen++ < drivers->skip || drivers->count == MANY) return 0;
    snprintf(drivers->paths[drivers->count++], sizeof drivers->paths[0], "%s", library->dlpi_name);
    return 0;
}

/* Drivers stay loaded. They were not made to be unloaded while the process goes on, and what one
 * keeps would be a leak in nobody's name. */
static void keep_drivers(struct drivers *drivers) {
    drivers->skip = drivers->seen;
    drivers->seen = drivers->count = 0;
    dl_iterate_phdr(list, drivers);
    for (size_t i = 0; i < drivers->count; i++) {
        void *handle =
            dlopen(drivers->paths[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE);
        if (handle != NULL) dlclose(handle);
    }
}

static int create(VkInstance *out, struct adi_error *error) {
    static const char *const layers[] = {LAYER}, *const extensions[] = {
                                                     VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    bool has_messenger = has_debug_utils();
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = "adicheck",
                                     .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = has_messenger ? adi_vulkan_messenger_info() : NULL,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = shared.validate,
                                 .ppEnabledLayerNames = layers,
                                 .enabledExtensionCount = has_messenger,
                                 .ppEnabledExtensionNames = extensions};
    adi_vulkan_messenger_first_error();
    VkResult result = adi_vk.CreateInstance(&info, NULL, out);
    if (result != VK_SUCCESS) {
        struct adi_error why;
        adi_vulkan_result(result, "vkCreateInstance", &why);
        const char *more = adi_vulkan_messenger_first_error();
        return adi_error_set(error, ENODEV,
                             "no Vulkan driver can be used (%s); on Debian one is in "
                             "mesa-vulkan-drivers; VK_ICD_FILENAMES names others",
                             more[0] != '\0' ? more : why.text);
    }
    if (has_messenger) adi_vulkan_messenger_open(*out);
    return 0;
}

static uint32_t find_family(VkPhysicalDevice handle) {
    VkQueueFamilyProperties families[MANY];
    uint32_t count = MANY;
    adi_vk.GetPhysicalDeviceQueueFamilyProperties(handle, &count, families);
    for (uint32_t i = 0; i < count; i++)
        if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) return i;
    return NO_TYPE;
}

static uint32_t find_memory(const VkPhysicalDeviceMemoryProperties *all,
                            VkMemoryPropertyFlags wanted) {
    for (uint32_t i = 0; i < all->memoryTypeCount; i++)
        if ((all->memoryTypes[i].propertyFlags & wanted) == wanted) return i;
    return NO_TYPE;
}

static const char *runtime_of(const VkPhysicalDeviceProperties *properties,
                              const VkPhysicalDeviceVulkan12Properties *more) {
    if (properties->deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) return "real";
    return more->driverID == VK_DRIVER_ID_MESA_LLVMPIPE ? "lavapipe" : "software";
}

/* Leaves `out->handle` NULL if the device lacks something; `why` then names it. */
static void look(VkPhysicalDevice handle, struct adi_vulkan_physical *out, struct adi_error *why) {
    enum {
        HOST = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
        READ = HOST | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
        LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
    };
    VkPhysicalDeviceVulkan12Properties twelve = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
    VkPhysicalDeviceMaintenance3Properties sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .pNext = &twelve};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
    VkPhysicalDeviceVulkan12Features able = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &able};
    VkPhysicalDeviceMemoryProperties memory;
    adi_vk.GetPhysicalDeviceProperties2(handle, &properties);
    const char *name = properties.properties.deviceName;
    if (properties.properties.apiVersion < VK_API_VERSION_1_2) {
        adi_error_set(why, 0, "%s is older than Vulkan 1.2", name);
        return;
    }
    adi_vk.GetPhysicalDeviceFeatures2(handle, &features);
    adi_vk.GetPhysicalDeviceMemoryProperties(handle, &memory);
    *out = (struct adi_vulkan_physical){
        .runtime = runtime_of(&properties.properties, &twelve),
        .family = find_family(handle),
        .memory = find_memory(&memory, LOCAL),
        .staging = find_memory(&memory, READ),
        .addresses = able.bufferDeviceAddress == VK_TRUE,
        .most = sizes.maxMemoryAllocationSize,
    };
    if (out->staging == NO_TYPE) out->staging = find_memory(&memory, HOST);
    if (out->memory == NO_TYPE) out->memory = out->staging;
    if (out->family == NO_TYPE || out->staging == NO_TYPE || able.timelineSemaphore == VK_FALSE) {
        adi_error_set(why, 0, "%s lacks %s", name,
                      out->family == NO_TYPE    ? "a queue that computes"
                      : out->staging == NO_TYPE ? "coherent host memory"
                                                : "timeline semaphores");
        return;
    }
    out->mapped = (memory.memoryTypes[out->memory].propertyFlags & READ) == READ;
    out->handle = handle;
}

int adi_vulkan_look(VkPhysicalDevice handle, uint32_t family, struct adi_vulkan_physical *out,
                    struct adi_error *error) {
    struct adi_error why = {""};
    out->handle = NULL;
    look(handle, out, &why);
    out->family = family;
    return out->handle != NULL ? 0 : adi_error_set(error, ENODEV, "%s", why.text);
}

static int look_at_all(struct adi_vulkan_instance *instance, struct adi_error *error) {
    VkPhysicalDevice handles[ADI_VULKAN_DEVICES];
    struct adi_error why = {"it has no device here"};
    bool any = false;
    instance->count = ADI_VULKAN_DEVICES;
    VkResult result = adi_vk.EnumeratePhysicalDevices(instance->handle, &instance->count, handles);
    if (result == VK_ERROR_INITIALIZATION_FAILED) /* the loader's word for none */
        instance->count = 0;
    else if (result != VK_INCOMPLETE)
        ADI_TRY(adi_vulkan_result(result, "vkEnumeratePhysicalDevices", error));
    for (uint32_t i = 0; i < instance->count; i++) {
        instance->physical[i].handle = NULL;
        look(handles[i], &instance->physical[i], &why);
        any = any || instance->physical[i].handle != NULL;
    }
    if (any) return 0;
    return adi_error_set(error, ENODEV,
                         "there is a Vulkan driver, but %s; on Debian mesa-vulkan-drivers has one "
                         "that needs no GPU",
                         why.text);
}

int adi_vulkan_instance_get(const struct adi_vulkan_instance **out, struct adi_error *error) {
    static struct drivers drivers;
    struct adi_vulkan_instance *instance = &shared.instance;
    *out = instance;
    if (shared.users > 0) {
        shared.users++;
        return 0;
    }
    ADI_TRY(adi_vulkan_load(error));
    adi_vulkan_layer();
    drivers = (struct drivers){.skip = SIZE_MAX};
    dl_iterate_phdr(list, &drivers);
    ADI_TRY(create(&instance->handle, error));
    keep_drivers(&drivers);
    shared.users = 1;
    int code = look_at_all(instance, error);
    if (code != 0) adi_vulkan_instance_release();
    return code;
}

void adi_vulkan_instance_release(void) {
    if (--shared.users > 0) return;
    adi_vulkan_messenger_close(shared.instance.handle);
    adi_vk.DestroyInstance(shared.instance.handle, NULL);
    shared.instance = (struct adi_vulkan_instance){0};
}
