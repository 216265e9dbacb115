/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: a copy of the buffers is still queued when it releases.
 */
#include "vulkan/vulkan_mutant.h"

static VkBuffer own; /* goes with the process */

static void copy(VkCommandBuffer commands, void *array_at) {
    static const VkBufferCopy start = {.size = 1};
    const struct ArrowArray *array = array_at;
    for (int64_t i = 0; i < array->n_buffers; i++)
        if (array->buffers[i] != NULL)
            adi_vk.CmdCopyBuffer(commands, (VkBuffer)(uintptr_t)array->buffers[i], own, 1, &start);
}

static int read_once_more(struct adi_device *device, const struct ArrowSchema *schema,
                          struct ArrowDeviceArray *in, struct ArrowArray *host_out) {
    void *value;
    ADI_TRY(base_read(device, schema, in, host_out));
    if (own == VK_NULL_HANDLE) {
        ADI_TRY(adi_device_vulkan.alloc(device, 64, &value, NULL));
        own = (VkBuffer)(uintptr_t)value;
    }
    return base_submit(device, copy, &in->array);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.read = read_once_more;
}
