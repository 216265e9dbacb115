/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: its `close` deletes a queue a second time, after the last case.
 */
#include "oneapi/oneapi.h"

static void close_twice(struct adi_device *device) {
    DPCTLSyclQueueRef queue = base_second_queue(device);
    SYCL(DPCTLQueue_Delete)(queue);
    SYCL(DPCTLQueue_Delete)(queue);
    base.right.close(device);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.close = close_twice;
}
