/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer lets the whole device come to its end instead of looking at the event.
 */
#include "vulkan/vulkan_mutant.h"

static int wait_idle(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)sync_event;
    return VK_CALL(error, DeviceWaitIdle, base_device(device));
}

void mutate(void) {
    base.ops.wait = wait_idle;
}
