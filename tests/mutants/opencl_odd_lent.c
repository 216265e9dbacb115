/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the queue that the harness lends waits for the event, and reads.
 */
#include "opencl/opencl.h"

static cl_command_queue lent(struct adi_device *device) {
    return (cl_command_queue)(uintptr_t)base.host->get(base.host, ARROW_DEVICE_OPENCL, device->id,
                                                       "opencl.queue");
}

static int read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    cl_int code = base.api->clEnqueueReadBuffer(lent(device), (cl_mem)(uintptr_t)buffer, CL_TRUE,
                                                (size_t)offset, (size_t)bytes, to, 0, NULL, NULL);
    return adi_opencl_check("clEnqueueReadBuffer", code, error);
}

static int wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event == NULL) return 0;
    cl_int code =
        base.api->clEnqueueBarrierWithWaitList(lent(device), 1, (cl_event *)sync_event, NULL);
    return adi_opencl_check("clEnqueueBarrierWithWaitList", code, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_on_lent;
    base.ops.read = read_on_lent;
}
