/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: one queue waits for the event, and another one reads.
 */
#include "opencl/two_queues.h"

static int wait_in_first(struct adi_device *device, void *sync_event, struct adi_error *error) {
    const cl_event *event = sync_event;
    ADI_TRY(open_queues(device, *event, error));
    cl_int code = base_api->clEnqueueBarrierWithWaitList(queues[0], 1, event, NULL);
    return adi_opencl_check("clEnqueueBarrierWithWaitList", code, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_in_first;
    base.ops.read = read_in_second;
    base.released = close_queues;
}
