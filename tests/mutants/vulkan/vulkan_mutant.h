/* SPDX-License-Identifier: Apache-2.0
 *
 * Vulkan. The implementation works on the VkDevice and the queue that the harness hands out.
 */
#ifndef VULKAN_MUTANT_H
#define VULKAN_MUTANT_H

#include <stdlib.h>

#include "../device/device_base.h"
#include "devices.h"
#include "vulkan.h"
#include "vulkan_api.h"

/* The VkDevice of the harness. */
VkDevice base_device(struct adi_device *device);
/* One of our own on the same physical device; it goes with the process. NULL: it was not made. */
VkDevice base_other_device(struct adi_device *device);
/* `alloc` of a device: what comes out is a VkDeviceAddress, which the device's `write` and `free`
 * take as well. */
int base_alloc_address(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error);
/* Records and submits to the queue of the harness, and does not wait. */
int base_submit(struct adi_device *device, void (*record)(VkCommandBuffer, void *context),
                void *context);
/* A VkEvent that nobody has set, in memory of its own, and its end: `event` and `event_free` of a
 * device. */
int base_event(struct adi_device *device, void **sync_event, struct adi_error *error);
void base_event_free(struct adi_device *device, void *sync_event);

#endif /* VULKAN_MUTANT_H */
