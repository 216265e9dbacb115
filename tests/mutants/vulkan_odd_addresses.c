/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are handed out by their VkDeviceAddress.
 */
#include "vulkan/vulkan_mutant.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = base_alloc_address;
}
