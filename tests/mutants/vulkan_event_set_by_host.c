/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the event is set by the host as soon as all is submitted.
 */
#include "vulkan/vulkan_mutant.h"

static int at_once(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base_event(device, sync_event, error));
    return VK_CALL(error, SetEvent, base_device(device), *(VkEvent *)*sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = at_once;
    base.ops.event_free = base_event_free;
}
