/* SPDX-License-Identifier: Apache-2.0 */
#include "vulkan_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

struct adi_vulkan_api adi_vk;
const char *adi_vulkan_library = "libvulkan.so.1";

static const struct {
    const char *name;
    size_t slot;
} calls[] = {
#define CALL(name) {"vk" #name, offsetof(struct adi_vulkan_api, name)},
#include "vulkan_api.def"
#undef CALL
};

static const struct {
    VkResult result;
    int code;
    const char *name;
} results[] = {
    {VK_SUCCESS, 0, "VK_SUCCESS"},
    {VK_TIMEOUT, ETIMEDOUT, "VK_TIMEOUT"},
    {VK_INCOMPLETE, EIO, "VK_INCOMPLETE"},
    {VK_ERROR_OUT_OF_HOST_MEMORY, ENOMEM, "VK_ERROR_OUT_OF_HOST_MEMORY"},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, ENOMEM, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
    {VK_ERROR_TOO_MANY_OBJECTS, ENOMEM, "VK_ERROR_TOO_MANY_OBJECTS"},
    {VK_ERROR_OUT_OF_POOL_MEMORY, ENOMEM, "VK_ERROR_OUT_OF_POOL_MEMORY"},
    {VK_ERROR_MEMORY_MAP_FAILED, ENOMEM, "VK_ERROR_MEMORY_MAP_FAILED"},
    {VK_ERROR_INITIALIZATION_FAILED, ENODEV, "VK_ERROR_INITIALIZATION_FAILED"},
    {VK_ERROR_INCOMPATIBLE_DRIVER, ENODEV, "VK_ERROR_INCOMPATIBLE_DRIVER"},
    {VK_ERROR_DEVICE_LOST, ENODEV, "VK_ERROR_DEVICE_LOST"},
    {VK_ERROR_LAYER_NOT_PRESENT, ENOENT, "VK_ERROR_LAYER_NOT_PRESENT"},
    {VK_ERROR_EXTENSION_NOT_PRESENT, ENOTSUP, "VK_ERROR_EXTENSION_NOT_PRESENT"},
    {VK_ERROR_FEATURE_NOT_PRESENT, ENOTSUP, "VK_ERROR_FEATURE_NOT_PRESENT"},
    {VK_ERROR_INVALID_SHADER_NV, EIO, "VK_ERROR_INVALID_SHADER_NV"},
    {VK_ERROR_UNKNOWN, EIO, "VK_ERROR_UNKNOWN"},
};

int adi_vulkan_load(struct adi_error *error) {
    static void *library;
    if (library != NULL) return 0;
    void *opened = dlopen(adi_vulkan_library, RTLD_NOW | RTLD_LOCAL);
    if (opened == NULL)
        return adi_error_set(error, ENOENT,
                             "the Vulkan loader is missing (%s); on Debian it is in libvulkan1",
                             dlerror());
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        void *found = dlsym(opened, calls[i].name);
        if (found == NULL) {
            dlclose(opened);
            return adi_error_set(error, ENOTSUP, "%s has no %s: it is older than Vulkan 1.2",
                                 adi_vulkan_library, calls[i].name);
        }
        memcpy((char *)&adi_vk + calls[i].slot, &found, sizeof found);
    }
    library = opened;
    return 0;
}

int adi_vulkan_result(VkResult result, const char *call, struct adi_error *error) {
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (results[i].result != result) continue;
        if (results[i].code == 0) return 0;
        return adi_error_set(error, results[i].code, "%s: %s", call, results[i].name);
    }
    return adi_error_set(error, EIO, "%s: VkResult %d", call, result);
}
