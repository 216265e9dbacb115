/* SPDX-License-Identifier: Apache-2.0
 *
 * A Vulkan driver that is another one, $ADI_TEST_DRIVER, but for one call, $ADI_TEST_REFUSED, which
 * it answers with an error, or with an abort where $ADI_TEST_CRASHES is set.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan_core.h>

#define SHOWN __attribute__((visibility("default"))) VKAPI_ATTR

static PFN_vkGetDeviceProcAddr of_device;

static VKAPI_ATTR VkResult VKAPI_CALL refuse(void) {
    if (getenv("ADI_TEST_CRASHES") != NULL) abort();
    return VK_ERROR_INITIALIZATION_FAILED;
}

static PFN_vkVoidFunction instead_of(const char *name) {
    const char *refused = getenv("ADI_TEST_REFUSED");
    bool is = refused != NULL && strcmp(name, refused) == 0;
    return is ? (PFN_vkVoidFunction)refuse : NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL find_of_device(VkDevice device, const char *name) {
    PFN_vkVoidFunction instead = instead_of(name);
    return instead != NULL ? instead : of_device(device, name);
}

static void *find(const char *name) {
    static void *driver;
    if (driver == NULL) driver = dlopen(getenv("ADI_TEST_DRIVER"), RTLD_NOW);
    return driver == NULL ? NULL : dlsym(driver, name);
}

SHOWN PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance of, const char *name);
SHOWN VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);

PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance of, const char *name) {
    PFN_vkGetInstanceProcAddr real;
    PFN_vkVoidFunction instead = instead_of(name);
    *(void **)(void *)&real = find(__func__);
    if (instead != NULL || real == NULL) return instead;
    PFN_vkVoidFunction found = real(of, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0 || found == NULL) return found;
    of_device = (PFN_vkGetDeviceProcAddr)found;
    return (PFN_vkVoidFunction)find_of_device;
}

VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
    VkResult (*real)(uint32_t *);
    *(void **)(void *)&real = find(__func__);
    return real == NULL ? VK_ERROR_INCOMPATIBLE_DRIVER : real(version);
}
