/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: two queues write in turns, and the one that the event is of waits for the other.
 */
#include "oneapi/oneapi.h"

static void give_back(struct adi_device *device, void *buffer) {
    SYCL(DPCTLQueue_Wait)(base_second_queue(device));
    SYCL(DPCTLQueue_Wait)(base_queue(device));
    base.right.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = base_write_in_turns;
    base.ops.event = base_event_of_both;
    base.ops.free = give_back;
}
