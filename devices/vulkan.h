/* SPDX-License-Identifier: Apache-2.0
 *
 * What the Vulkan backend offers beyond ref/device.h.
 *
 * A buffer value is a VkBuffer; a VkDeviceAddress within a live buffer is accepted, of somebody
 * else's as far as he has asked Vulkan for it and the layer is there. A sync_event is a VkEvent *,
 * set with VK_PIPELINE_STAGE_ALL_COMMANDS_BIT. A device that is opened twice under one id is one
 * VkDevice with one queue, so buffers and events can go from one opening to the other; where there
 * is one physical device, the ids 0 and 1 are two VkDevices of it.
 *
 * `native_handle` knows "vulkan.instance", "vulkan.physical_device", "vulkan.device",
 * "vulkan.queue" (the handles) and "vulkan.queue_family" (a const uint32_t *). Whoever submits to
 * the queue does so from the thread that calls the device.
 *
 * `read` of memory that the host can map is a read by the host, after what the same opening has
 * queued: it sees what another opening's paused queue has not written yet. `adopt` takes a VkBuffer
 * that was made on "vulkan.device" and may be copied from; `free` forgets it and destroys nothing.
 * `resume` may be called from any thread.
 */
#ifndef ADI_VULKAN_H
#define ADI_VULKAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"

extern const struct adi_device_ops adi_device_vulkan;

/* What a validation layer says of a call, whoever made it, or the loader of a driver. */
struct adi_vulkan_message {
    bool error;     /* false: a warning */
    char id[96];    /* "VUID-vkCmdCopyBuffer-srcOffset-00113", "" if it has none */
    char text[900]; /* NUL-terminated, cut when it is too long */
};

/* Asks for VK_LAYER_KHRONOS_validation, or no longer does; counts when the first device is opened.
 * ENOENT: the layer is not installed; the sentence says what to install. One thread. */
int adi_vulkan_validate(bool on, struct adi_error *error);

/* Takes the oldest message that was said since the last call; false: there is none. Those beyond
 * some fifty are dropped. Any thread. */
bool adi_vulkan_message_take(struct adi_vulkan_message *out);

/* What `native_handle` hands out, under the same names; NULL: there is none. */
typedef const void *adi_vulkan_native_handle_fn(void *context, int64_t id, const char *what);
/* From now on an id that is opened is somebody else's VkDevice, who keeps it, and on which timeline
 * semaphores are enabled; NULL: a VkDevice of our own. One thread. */
void adi_vulkan_borrow(adi_vulkan_native_handle_fn *native_handle, void *context);

/* How long the device may take over anything that the host waits for, from now on; then the wait
 * ends as ETIMEDOUT. At first 10 s. One thread. */
void adi_vulkan_limit(struct adi_device *device, int64_t milliseconds);

#endif /* ADI_VULKAN_H */
