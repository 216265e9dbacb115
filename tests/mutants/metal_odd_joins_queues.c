/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: two queues write in turns, and the one that signals the event waits for the other.
 */
#include "metal/metal.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = base_write_in_turns;
    base.ops.event = base_event_of_both;
}
