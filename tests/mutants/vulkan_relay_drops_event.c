/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the array is handed on without its event.
 */
#include "vulkan/vulkan_mutant.h"

static void drop(struct adi_device *device, struct ArrowDeviceArray *out) {
    (void)device;
    out->sync_event = NULL;
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.exported = drop;
}
