/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it waits, for an event of its own.
 */
#include "vulkan/vulkan_mutant.h"

static int elsewhere(struct adi_device *device, void *sync_event, struct adi_error *error) {
    void *own;
    (void)sync_event;
    ADI_TRY(base_event(device, &own, error));
    int code = VK_CALL(error, SetEvent, base_device(device), *(VkEvent *)own);
    if (code == 0) code = adi_device_vulkan.wait_host(device, own, error);
    base_event_free(device, own);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = elsewhere;
}
