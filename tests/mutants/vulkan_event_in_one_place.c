/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: all exports share one place for the handle of their event, so that
 * of two that live the first to go takes the other's.
 */
#include "vulkan/vulkan_mutant.h"
/* needs the base */
#include "one_place.h"

static void set(VkCommandBuffer commands, void *event) {
    adi_vk.CmdSetEvent(commands, *(VkEvent *)event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

static int event_of_its_own(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base_event(device, sync_event, error));
    return base_submit(device, set, *sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = event_of_its_own;
    base.ops.event_free = base_event_free;
    use_one_place(&base.ops);
}
