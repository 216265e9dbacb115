/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it waits, and resets the event of the producer.
 */
#include "vulkan/vulkan_mutant.h"

static int wait_and_reset(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = adi_device_vulkan.wait(device, sync_event, error);
    if (sync_event != NULL) adi_vk.ResetEvent(base_device(device), *(VkEvent *)sync_event);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_reset;
}
