/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, producer: each array that is handed on leaves a semaphore behind.
 */
#include "vulkan/vulkan_mutant.h"

static void leave_semaphore(struct ArrowDeviceArray *out) {
    static const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore semaphore;
    (void)out;
    adi_vk.CreateSemaphore(base_device(base_last()), &info, NULL, &semaphore);
}

void mutate(void) {
    base.roles = ADI_RELAYS;
    base.exported = leave_semaphore;
}
