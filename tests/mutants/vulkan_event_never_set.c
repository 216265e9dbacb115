/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-never-completes, producer: the event that is handed out was never recorded.
 */
#include "vulkan/vulkan_mutant.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = base_event;
    base.ops.event_free = base_event_free;
}
