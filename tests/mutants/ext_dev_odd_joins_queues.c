/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: two queues write in turns, and the one that the event is recorded on waits for the other.
 */
#include "ext_dev/ext_dev.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = base_write_in_turns;
    base.ops.event = base_event_of_both;
}
