/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to devices/: the layer, a shared object of its own (vulkan_layer/) that the Vulkan loader
 * puts between every caller and the driver (VK_INSTANCE_LAYERS), and what the backend asks it.
 * Without it the backend works all the same, and knows less.
 */
#ifndef ADI_VULKAN_LAYER_H
#define ADI_VULKAN_LAYER_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "device.h"

#define ADI_VULKAN_LAYER        "vulkan/vulkan_layer.so"
#define ADI_VULKAN_LAYER_NAME   "VK_LAYER_ADICHECK_witness"
#define ADI_VULKAN_LAYER_SYMBOL "adi_vulkan_layer_table"

enum adi_vulkan_kind {
    ADI_VULKAN_BUFFER,
    ADI_VULKAN_EVENT,
    ADI_VULKAN_MEMORY,
    ADI_VULKAN_SET, /* of descriptors */
    ADI_VULKAN_SHADER,
    ADI_VULKAN_PIPELINE,
#define COUNTED(name, kind) ADI_VULKAN_##kind,
#include "vulkan_layer/counted.def"
};

/* What is known of a handle that is not dispatchable. */
struct adi_vulkan_seen {
    bool live; /* else the rest is not set */
    VkDevice device;
    VkDeviceSize bytes; /* of a buffer */
    uint64_t handle;
    VkDeviceAddress address; /* that somebody was told of a buffer; 0: nobody was */
};

struct adi_vulkan_layer {
    uint32_t size;
    struct adi_interceptor interceptor;
    struct adi_vulkan_seen (*look)(enum adi_vulkan_kind kind, uint64_t handle); /* any thread */
    /* The live buffer of the device that the address lies in. Any thread. */
    struct adi_vulkan_seen (*look_at)(VkDevice device, VkDeviceAddress address);
    /* A sentence about the call that the thread is in; not told if that is the harness's. */
    void (*say)(const char *text);
};

typedef const struct adi_vulkan_layer *adi_vulkan_layer_fn(void);

/* The layer, offered to the loader from the first call on; NULL: it is not there. One thread. */
const struct adi_vulkan_layer *adi_vulkan_layer(void);

/* What the backend makes and gives up for itself is nobody's else: from here to the end it is the
 * harness's. Returns what `adi_vulkan_own_end` wants. Any thread. */
bool adi_vulkan_own_begin(void);
void adi_vulkan_own_end(bool before);

#endif /* ADI_VULKAN_LAYER_H */
