/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: the process's one VkInstance and the physical devices that can be used.
 */
#ifndef ADI_VULKAN_INSTANCE_H
#define ADI_VULKAN_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "vulkan_api.h"

#define ADI_VULKAN_DEVICES 8

/* A physical device, and what of it the backend needs. */
struct adi_vulkan_physical {
    VkPhysicalDevice handle;
    const char *runtime; /* "real", "lavapipe", "software"; static text */
    uint32_t family;     /* of a queue that computes and copies */
    uint32_t memory;     /* the type of device memory */
    uint32_t staging;    /* the type of host memory */
    bool mapped;         /* the host reads device memory as fast as its own */
    bool addresses;      /* buffers have addresses */
    VkDeviceSize most;   /* bytes of one allocation */
};

struct adi_vulkan_instance {
    VkInstance handle;
    uint32_t count; /* of physical devices, in the loader's order */
    struct adi_vulkan_physical physical[ADI_VULKAN_DEVICES]; /* handle NULL: cannot be used */
};

/* The instance, made at the first call and kept until as many calls of
 * `adi_vulkan_instance_release`. ENOENT, ENOTSUP: no loader (see adi_vulkan_load). ENODEV: no
 * driver, or no device that can be used; the sentence says what to do. One thread. */
int adi_vulkan_instance_get(const struct adi_vulkan_instance **out, struct adi_error *error);
void adi_vulkan_instance_release(void);

/* What the backend needs to know of a physical device whose queue family is known. ENODEV: it lacks
 * something. */
int adi_vulkan_look(VkPhysicalDevice handle, uint32_t family, struct adi_vulkan_physical *out,
                    struct adi_error *error);

/* What is chained to VkInstanceCreateInfo, so that messages of its making are collected too.
 * Static. */
const void *adi_vulkan_messenger_info(void);
/* The messenger itself, after that. */
void adi_vulkan_messenger_open(VkInstance instance);
void adi_vulkan_messenger_close(VkInstance instance);
/* The first error that was said since the last call; "" if there was none. Static. */
const char *adi_vulkan_messenger_first_error(void);

#endif /* ADI_VULKAN_INSTANCE_H */
