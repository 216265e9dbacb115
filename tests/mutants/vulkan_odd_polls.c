/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer waits by asking for the event's status over and over.
 */
#include "vulkan/vulkan_mutant.h"

#include <sched.h>

static int poll(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    while (sync_event != NULL &&
           adi_vk.GetEventStatus(base_device(device), *(VkEvent *)sync_event) == VK_EVENT_RESET)
        sched_yield();
    return 0;
}

void mutate(void) {
    base.ops.wait = poll;
}
