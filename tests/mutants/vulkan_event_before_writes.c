/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the event is recorded before the commands that write. As
 * vortex-data/vortex#8952, it does not cover all that does.
 */
#include "vulkan/vulkan_mutant.h"

static VkEvent *event; /* of the array that is being made */

static void set(VkCommandBuffer commands, void *unused) {
    (void)unused;
    adi_vk.CmdSetEvent(commands, *event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

static int write_after(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    if (event == NULL) {
        void *made;
        ADI_TRY(base_event(device, &made, error));
        event = made;
        ADI_TRY(base_submit(device, set, NULL));
    }
    return adi_device_vulkan.write(device, buffer, offset, from, bytes, error);
}

static int hand_out(struct adi_device *device, void **sync_event, struct adi_error *error) {
    if (event == NULL) return adi_device_vulkan.event(device, sync_event, error);
    *sync_event = event;
    event = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_after;
    base.ops.event = hand_out;
    base.ops.event_free = base_event_free;
}
