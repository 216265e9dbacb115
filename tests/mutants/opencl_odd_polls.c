/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer waits by asking for the event's status over and over.
 */
#include <sched.h>

#include "opencl/opencl.h"

static int poll(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)error;
    cl_int status = CL_COMPLETE;
    do {
        sched_yield();
        if (sync_event != NULL)
            base_api->clGetEventInfo(*(cl_event *)sync_event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                     sizeof status, &status, NULL);
    } while (status > CL_COMPLETE);
    return 0;
}

void mutate(void) {
    base.ops.wait = poll;
}
