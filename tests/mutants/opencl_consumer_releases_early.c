/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/released-while-reading, consumer: the array is released while its copies are still queued;
 * they are waited for afterwards.
 */
#include "opencl/opencl.h"

/* Of ours, in the context of the array. */
static cl_command_queue queue;

static int wait_in_queue(struct adi_device *device, void *sync_event, struct adi_error *error) {
    const cl_event *event = sync_event;
    cl_context context;
    cl_int code;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    base_api->clGetEventInfo(*event, CL_EVENT_CONTEXT, sizeof context, &context, NULL);
    queue = base_api->clCreateCommandQueue(context, id, 0, &code);
    ADI_TRY(adi_opencl_check("clCreateCommandQueue", code, error));
    code = base_api->clEnqueueBarrierWithWaitList(queue, 1, event, NULL);
    return adi_opencl_check("clEnqueueBarrierWithWaitList", code, error);
}

static int read_later(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)device;
    cl_int code = base_api->clEnqueueReadBuffer(queue, (cl_mem)(uintptr_t)buffer, CL_FALSE,
                                                (size_t)offset, (size_t)bytes, to, 0, NULL, NULL);
    return adi_opencl_check("clEnqueueReadBuffer", code, error);
}

static void finish(struct adi_device *device) {
    cl_event end;
    void *event = &end;
    if (base_api->clEnqueueMarkerWithWaitList(queue, 0, NULL, &end) == CL_SUCCESS) {
        base_api->clFlush(queue);
        adi_device_opencl.wait_host(device, event, NULL);
        base_api->clReleaseEvent(end);
    }
    base_api->clReleaseCommandQueue(queue);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_in_queue;
    base.ops.read = read_later;
    base.released = finish;
}
