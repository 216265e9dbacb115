/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: two streams write the buffers in turns, and the event is recorded
 * on one of them.
 */
#include "rocm/rocm.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = base_write_in_turns;
}
