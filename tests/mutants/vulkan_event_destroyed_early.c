/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: the event is destroyed before the array is handed out.
 */
#include "vulkan/vulkan_mutant.h"

static int short_lived(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base_event(device, sync_event, error));
    adi_vk.DestroyEvent(base_device(device), *(VkEvent *)*sync_event, NULL);
    return 0;
}

static void free_memory(struct adi_device *device, void *sync_event) {
    (void)device;
    free(sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = short_lived;
    base.ops.event_free = free_memory;
}
