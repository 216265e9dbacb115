/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: once it has waited, it clears the handle that sync_event points
 * to.
 */
#include "vulkan/vulkan_mutant.h"

static int wait_and_clear(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = adi_device_vulkan.wait_host(device, sync_event, error);
    if (sync_event != NULL) *(VkEvent *)sync_event = VK_NULL_HANDLE;
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_clear;
}
