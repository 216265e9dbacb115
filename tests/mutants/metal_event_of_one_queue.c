/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: two queues write the buffers in turns, and one of them signals
 * the event.
 */
#include "metal/metal.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = base_write_in_turns;
}
