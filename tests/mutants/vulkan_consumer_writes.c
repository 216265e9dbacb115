/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: what has been read is overwritten in place.
 */
#include "vulkan/vulkan_mutant.h"

static void clear(VkCommandBuffer commands, void *buffer) {
    adi_vk.CmdFillBuffer(commands, (VkBuffer)(uintptr_t)buffer, 0, 4, 0);
}

static int read_and_clear(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                          int64_t bytes, struct adi_error *error) {
    ADI_TRY(adi_device_vulkan.read(device, buffer, offset, to, bytes, error));
    if (bytes < 4) return 0;
    ADI_TRY(base_submit(device, clear, (void *)(uintptr_t)buffer));
    adi_vk.DeviceWaitIdle(base_device(device));
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_clear;
}
