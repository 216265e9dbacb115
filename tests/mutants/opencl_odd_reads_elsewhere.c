/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: one queue waits for the event, and another one reads, behind an event of the first.
 */
#include "opencl/two_queues.h"

static int wait_in_both(struct adi_device *device, void *sync_event, struct adi_error *error) {
    const cl_event *event = sync_event;
    cl_event over;
    if (event == NULL) return 0;
    ADI_TRY(open_queues(device, *event, error));
    cl_int code = base_api->clEnqueueMarkerWithWaitList(queues[0], 1, event, &over);
    ADI_TRY(adi_opencl_check("clEnqueueMarkerWithWaitList", code, error));
    base_api->clFlush(queues[0]);
    code = base_api->clEnqueueBarrierWithWaitList(queues[1], 1, &over, NULL);
    base_api->clReleaseEvent(over);
    return adi_opencl_check("clEnqueueBarrierWithWaitList", code, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_in_both;
    base.ops.read = read_in_second;
    base.released = close_queues;
}
