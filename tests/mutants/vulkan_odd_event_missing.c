/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the event is NULL, for all that writes has come to its end.
 */
#include "vulkan/vulkan_mutant.h"

static int finish(struct adi_device *device, void **sync_event, struct adi_error *error) {
    void *own;
    *sync_event = NULL;
    ADI_TRY(adi_device_vulkan.event(device, &own, error));
    int code = adi_device_vulkan.wait_host(device, own, error);
    adi_device_vulkan.event_free(device, own);
    return code;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = finish;
}
