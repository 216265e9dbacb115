/* SPDX-License-Identifier: Apache-2.0
 *
 * Two queues of the consumer's own, the second of which reads.
 */
#ifndef OPENCL_TWO_QUEUES_H
#define OPENCL_TWO_QUEUES_H

#include "opencl.h"

static cl_command_queue queues[2]; /* of ours, in the context of the array */

static int open_queues(struct adi_device *device, cl_event event, struct adi_error *error) {
    cl_context context;
    cl_int code = CL_SUCCESS;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    base_api->clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL);
    for (int i = 0; i < 2 && code == CL_SUCCESS; i++)
        if (queues[i] == NULL) queues[i] = base_api->clCreateCommandQueue(context, id, 0, &code);
    return adi_opencl_check("clCreateCommandQueue", code, error);
}

static int read_in_second(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                          int64_t bytes, struct adi_error *error) {
    if (queues[1] == NULL || bytes == 0)
        return adi_device_opencl.read(device, buffer, offset, to, bytes, error);
    cl_int code = base_api->clEnqueueReadBuffer(queues[1], (cl_mem)(uintptr_t)buffer, CL_TRUE,
                                                (size_t)offset, (size_t)bytes, to, 0, NULL, NULL);
    return adi_opencl_check("clEnqueueReadBuffer", code, error);
}

static void close_queues(struct adi_device *device) {
    (void)device;
    for (int i = 0; i < 2; i++) {
        if (queues[i] != NULL) base_api->clReleaseCommandQueue(queues[i]);
        queues[i] = NULL;
    }
}

#endif /* OPENCL_TWO_QUEUES_H */
