/* SPDX-License-Identifier: Apache-2.0
 *
 * device/buffer-not-accessible, producer: the buffers are given up before the array is handed out.
 */
#include "vulkan/vulkan_mutant.h"

static int wait_and_give_up(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(adi_device_vulkan.event(device, sync_event, error));
    return adi_device_vulkan.wait_host(device, *sync_event, error);
}

static void give_up(struct ArrowDeviceArray *out) {
    for (int64_t i = 0; i < out->array.n_buffers; i++)
        if (out->array.buffers[i] != NULL)
            adi_vk.DestroyBuffer(base_device(base_last()),
                                 (VkBuffer)(uintptr_t)out->array.buffers[i], NULL);
}

static void leave(struct adi_device *device, void *buffer) {
    (void)device, (void)buffer;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = wait_and_give_up;
    base.ops.free = leave;
    base.exported = give_up;
}
