/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: the release callback leaves the event.
 */
#include "vulkan/vulkan_mutant.h"

static int leaked(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base_event(device, sync_event, error));
    return VK_CALL(error, SetEvent, base_device(device), *(VkEvent *)*sync_event);
}

static void free_memory(struct adi_device *device, void *sync_event) {
    (void)device;
    free(sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = leaked;
    base.ops.event_free = free_memory;
}
