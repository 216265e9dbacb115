/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: two queues write the buffers in turns, and the event is recorded
 * on one of them.
 */
#include "ext_dev/ext_dev.h"

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = base_write_in_turns;
}
