/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: one queue waits for the event, and another one reads.
 */
#include "opencl/opencl.h"

static cl_command_queue queues[2]; /* of ours, in the context of the array */

static int open_queues(struct adi_device *device, cl_event event, struct adi_error *error) {
    cl_context context;
    cl_int code = CL_SUCCESS;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native(device, "opencl.device");
    base.api->clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL);
    for (int i = 0; i < 2 && code == CL_SUCCESS; i++)
        if (queues[i] == NULL) queues[i] = base.api->clCreateCommandQueue(context, id, 0, &code);
    return adi_opencl_check("clCreateCommandQueue", code, error);
}

static int wait_in_first(struct adi_device *device, void *sync_event, struct adi_error *error) {
    const cl_event *event = sync_event;
    ADI_TRY(open_queues(device, *event, error));
    cl_int code = base.api->clEnqueueBarrierWithWaitList(queues[0], 1, event, NULL);
    return adi_opencl_check("clEnqueueBarrierWithWaitList", code, error);
}

static int read_in_second(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                          int64_t bytes, struct adi_error *error) {
    (void)device;
    cl_int code = base.api->clEnqueueReadBuffer(queues[1], (cl_mem)(uintptr_t)buffer, CL_TRUE,
                                                (size_t)offset, (size_t)bytes, to, 0, NULL, NULL);
    return adi_opencl_check("clEnqueueReadBuffer", code, error);
}

static void close_queues(struct adi_device *device) {
    (void)device;
    for (int i = 0; i < 2; i++) {
        if (queues[i] != NULL) base.api->clReleaseCommandQueue(queues[i]);
        queues[i] = NULL;
    }
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_in_first;
    base.ops.read = read_in_second;
    base.released = close_queues;
}
