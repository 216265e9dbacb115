/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: the event is set, and is one of another VkDevice.
 */
#include "vulkan/vulkan_mutant.h"

static int of_other(struct adi_device *device, void **sync_event, struct adi_error *error) {
    static const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    static VkEvent event;
    VkDevice other = base_other_device(device);
    VK_TRY(error, DeviceWaitIdle, base_device(device));
    VK_TRY(error, CreateEvent, other, &info, NULL, &event);
    *sync_event = &event;
    return VK_CALL(error, SetEvent, other, event);
}

static void destroy(struct adi_device *device, void *sync_event) {
    adi_vk.DestroyEvent(base_other_device(device), *(VkEvent *)sync_event, NULL);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = of_other;
    base.ops.event_free = destroy;
}
