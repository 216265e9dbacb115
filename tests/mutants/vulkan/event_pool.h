/* SPDX-License-Identifier: Apache-2.0
 *
 * VkEvents that are kept, reset on the host and set anew.
 */
#ifndef VULKAN_EVENT_POOL_H
#define VULKAN_EVENT_POOL_H

#include "vulkan_mutant.h"

static inline void set_event(VkCommandBuffer commands, void *event) {
    adi_vk.CmdSetEvent(commands, *(VkEvent *)event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

/* `*kept` is made at its first use. Writes must not be gathered: the event stands for those that
 * have been submitted. */
static inline int set_anew(struct adi_device *device, void **kept, struct adi_error *error) {
    if (*kept == NULL) ADI_TRY(base_event(device, kept, error));
    adi_vk.ResetEvent(base_device(device), **(VkEvent **)kept);
    return base_submit(device, set_event, *kept);
}

#endif /* VULKAN_EVENT_POOL_H */
