/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: the array is released while its copies are still queued;
 * they are waited for afterwards.
 */
#include "vulkan/vulkan_mutant.h"

#define MOST 8

static struct late {
    VkBuffer from, own;
    VkBufferCopy range;
    void *to;
} reads[MOST];
static size_t n_reads;

static void copy(VkCommandBuffer commands, void *late_at) {
    const struct late *late = late_at;
    adi_vk.CmdCopyBuffer(commands, late->from, late->own, 1, &late->range);
}

static int read_later(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    void *own;
    if (n_reads == MOST || bytes == 0)
        return adi_device_vulkan.read(device, buffer, offset, to, bytes, error);
    ADI_TRY(adi_device_vulkan.alloc(device, bytes, &own, error));
    struct late *late = &reads[n_reads++];
    *late = (struct late){.from = (VkBuffer)(uintptr_t)buffer,
                          .own = (VkBuffer)(uintptr_t)own,
                          .range = {(VkDeviceSize)offset, 0, (VkDeviceSize)bytes},
                          .to = to};
    return base_submit(device, copy, late);
}

static void finish(struct adi_device *device) {
    adi_vk.DeviceWaitIdle(base_device(device));
    for (; n_reads > 0; n_reads--) {
        const struct late *late = &reads[n_reads - 1];
        void *own = (void *)(uintptr_t)late->own;
        adi_device_vulkan.read(device, own, 0, late->to, (int64_t)late->range.size, NULL);
        adi_device_vulkan.free(device, own);
    }
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = adi_device_vulkan.wait_host;
    base.ops.read = read_later;
    base.released = finish;
}
