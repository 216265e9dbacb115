/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it reads on the queue that the harness lends, without a look at
 * the event, as if the harness had written its arrays there.
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

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = never;
    base.ops.read = read_on_lent;
}
