/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: the release callback destroys the event twice.
 */
#include "vulkan/vulkan_mutant.h"

static int set(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base_event(device, sync_event, error));
    VK_TRY(error, DeviceWaitIdle, base_device(device));
    return VK_CALL(error, SetEvent, base_device(device), *(VkEvent *)*sync_event);
}

static void twice(struct adi_device *device, void *sync_event) {
    adi_vk.DestroyEvent(base_device(device), *(VkEvent *)sync_event, NULL);
    base_event_free(device, sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = set;
    base.ops.event_free = twice;
}
