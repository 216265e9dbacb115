/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer waits on the device, with the stages that the setter named.
 */
#include "vulkan/vulkan_mutant.h"

static void record(VkCommandBuffer commands, void *event) {
    static const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                            .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};
    adi_vk.CmdWaitEvents(commands, 1, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 1, &barrier, 0, NULL, 0, NULL);
}

static int enqueue(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    return sync_event == NULL ? 0 : base_submit(device, record, sync_event);
}

void mutate(void) {
    base.ops.wait = enqueue;
}
