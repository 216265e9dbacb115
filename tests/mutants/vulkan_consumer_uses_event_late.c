/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it asks for the status of the event after the release.
 */
#include "vulkan/vulkan_mutant.h"

static VkEvent kept;

static int wait_and_keep(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event != NULL) kept = *(VkEvent *)sync_event;
    return adi_device_vulkan.wait_host(device, sync_event, error);
}

static void ask(struct adi_device *device) {
    if (kept != VK_NULL_HANDLE) adi_vk.GetEventStatus(base_device(device), kept);
    kept = VK_NULL_HANDLE;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_keep;
    base.released = ask;
}
