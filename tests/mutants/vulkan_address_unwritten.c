/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/data-not-ready, producer: the buffers are handed out by their VkDeviceAddress, and without
 * the event that says when they are written.
 */
#include "vulkan/vulkan_mutant.h"

static int none(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void *own;
    *sync_event = NULL;
    ADI_TRY(adi_device_vulkan.event(device, &own, error));
    adi_device_vulkan.event_free(device, own);
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = base_alloc_address;
    base.ops.event = none;
}
