/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/work-not-ordered, producer: two queues write the same bytes, and both are joined for the
 * event, but not before the second write.
 */
#include "oneapi/oneapi.h"

static int write_twice(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    DPCTLSyclEventRef cleared = SYCL(DPCTLQueue_Memset)(base_second_queue(device),
                                                        base_at(buffer, offset), 0, (size_t)bytes);
    SYCL(DPCTLEvent_Delete)(cleared);
    return base.right.write(device, buffer, offset, from, bytes, error);
}

static void give_back(struct adi_device *device, void *buffer) {
    SYCL(DPCTLQueue_Wait)(base_second_queue(device));
    base.right.free(device, buffer);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_twice;
    base.ops.event = base_event_of_both;
    base.ops.free = give_back;
}
