/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: Vulkan without linking to it. `adi_vk.CreateBuffer(...)` is
 * vkCreateBuffer(...) once `adi_vulkan_load` has succeeded.
 */
#ifndef ADI_VULKAN_API_H
#define ADI_VULKAN_API_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "error.h"

struct adi_vulkan_api {
#define CALL(name) PFN_vk##name name;
#include "vulkan_api.def"
#undef CALL
};

extern struct adi_vulkan_api adi_vk;

/* The loader's file name. Tests put another in its place before the first load. */
extern const char *adi_vulkan_library;

/* Loads the loader at the first success, for as long as the process lives. ENOENT: there is none.
 * ENOTSUP: it is older than Vulkan 1.2. One thread. */
int adi_vulkan_load(struct adi_error *error);

/* 0 for VK_SUCCESS, else an errno value with the call and the result's name in the sentence.
 * ENOMEM: any kind of memory, or the driver's number of allocations, has run out. ETIMEDOUT, ENODEV
 * (also a lost device), EIO (all others). */
int adi_vulkan_result(VkResult result, const char *call, struct adi_error *error);

/* Makes the call and passes its failure up: VK_TRY(error, CreateBuffer, device, ...). */
#define VK_CALL(error, name, ...) adi_vulkan_result(adi_vk.name(__VA_ARGS__), "vk" #name, error)
#define VK_TRY(error, name, ...)  ADI_TRY(VK_CALL(error, name, __VA_ARGS__))

#endif /* ADI_VULKAN_API_H */
