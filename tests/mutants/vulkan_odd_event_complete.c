/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the event is set already when it is handed out, and so is all that was to be written.
 */
#include "vulkan/vulkan_mutant.h"

static int complete(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(adi_device_vulkan.event(device, sync_event, error));
    return adi_device_vulkan.wait_host(device, *sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = complete;
}
