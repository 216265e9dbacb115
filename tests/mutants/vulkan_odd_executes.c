/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer has memory of its own filled and read before it waits, and waits in a
 * secondary command buffer.
 */
#include "vulkan/executes.h"

static void use_own(VkCommandBuffer commands, void *own) {
    VkBuffer buffer = (VkBuffer)(uintptr_t)own;
    VkBufferCopy range = {256, 512, 256};
    adi_vk.CmdFillBuffer(commands, buffer, 0, 256, 0);
    adi_vk.CmdCopyBuffer(commands, buffer, buffer, 1, &range);
}

static void *own; /* memory; freed when the array is released */

static int note_event(struct adi_device *device, void *sync_event, struct adi_error *error) {
    reading.event = sync_event == NULL ? VK_NULL_HANDLE : *(VkEvent *)sync_event;
    if (own == NULL) ADI_TRY(adi_device_vulkan.alloc(device, 1024, &own, error));
    return base_submit(device, use_own, own);
}

static void free_own(struct adi_device *device) {
    if (own == NULL) return;
    adi_vk.DeviceWaitIdle(base_device(device));
    adi_device_vulkan.free(device, own);
    own = NULL;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = note_event;
    base.ops.read = read_by_executing;
    base.released = free_own;
}
