/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the implementation has a VkDevice of its own and never asks for the harness's. Nobody can
 * read what is on it, so nothing is said.
 */
#include "vulkan/vulkan_mutant.h"

static int open_own(int64_t id, struct adi_device *out, struct adi_error *error) {
    adi_vulkan_borrow(NULL, NULL);
    return adi_device_vulkan.open(id, out, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.open = open_own;
}
