/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: two streams write in turns, and the one that the event is recorded on waits for the other.
 */
#include "rocm/rocm.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = base_write_in_turns;
    base.ops.event = base_event_of_both;
}
