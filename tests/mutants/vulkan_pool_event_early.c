/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the buffers are addresses within one VkBuffer, and the last of
 * them is written behind the event, as the next batch is.
 */
#include "vulkan/vulkan_mutant.h"
/* needs the base */
#include "pool.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.alloc = base_alloc_address;
    make_pool(&base.ops);
    be_early(&base.ops);
}
