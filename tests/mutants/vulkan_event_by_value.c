/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer. NVIDIA/cudf#16058: sync_event holds the event instead of its
 * address.
 */
#include "vulkan/vulkan_mutant.h"

static void by_value(struct adi_device *device, struct ArrowDeviceArray *out) {
    (void)device;
    if (out->sync_event != NULL) out->sync_event = *(void **)out->sync_event;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = by_value;
}
