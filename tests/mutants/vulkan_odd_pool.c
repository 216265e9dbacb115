/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the buffers are addresses within one VkBuffer, and the next batch is queued into another
 * part of it behind the event.
 */
#include "vulkan/vulkan_mutant.h"
/* needs the base */
#include "pool.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = base_alloc_address;
    make_pool(&base.ops);
    (void)be_early;
}
