/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: two queues write the buffers in turns, and the event is a barrier
 * in one of them.
 */
#include "oneapi/oneapi.h"

static void give_back(struct adi_device *device, void *buffer) {
    SYCL(DPCTLQueue_Wait)(base_second_queue(device));
    SYCL(DPCTLQueue_Wait)(base_queue(device));
    base.right.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base_allocates(OF_DEVICE);
    base.ops.write = base_write_in_turns;
    base.ops.free = give_back;
}
