/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl.h"

const struct adi_opencl_api *base_api;

cl_context base_context(struct adi_device *device) {
    return (cl_context)(uintptr_t)device->ops->native_handle(device, "opencl.context");
}

cl_command_queue base_queue(struct adi_device *device) {
    return (cl_command_queue)(uintptr_t)device->ops->native_handle(device, "opencl.queue");
}

cl_kernel base_kernel(struct adi_device *device, cl_context context, const char *source,
                      const char *name) {
    static cl_context of;
    static cl_kernel kernel;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    cl_int code;
    if (of == context) return kernel;
    of = context;
    cl_program program = base_api->clCreateProgramWithSource(context, 1, &source, NULL, &code);
    base_api->clBuildProgram(program, 1, &id, "", NULL, NULL);
    kernel = base_api->clCreateKernel(program, name, &code);
    base_api->clReleaseProgram(program);
    return kernel;
}

int base_queue_of(struct adi_device *device, const void *buffer, cl_context *context,
                  cl_command_queue *queue, struct adi_error *why) {
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    cl_int code = base_api->clGetMemObjectInfo((cl_mem)(uintptr_t)buffer, CL_MEM_CONTEXT,
                                               sizeof *context, context, NULL);
    ADI_TRY(adi_opencl_check("clGetMemObjectInfo", code, why));
    *queue = base_api->clCreateCommandQueue(*context, id, 0, &code);
    return adi_opencl_check("clCreateCommandQueue", code, why);
}

/* ---- events ---- */

void base_event_query(struct adi_device *device, void *handle) {
    cl_int status;
    (void)device;
    base_api->clGetEventInfo(handle, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                             NULL);
}

void base_event_destroy(struct adi_device *device, void *handle) {
    (void)device;
    base_api->clReleaseEvent(handle);
}

/* ---- on the queue that the harness lends ---- */

static cl_command_queue lent(struct adi_device *device) {
    return base_lent(device->id, "opencl.queue");
}

int base_read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    cl_int code = base_api->clEnqueueReadBuffer(lent(device), (cl_mem)(uintptr_t)buffer, CL_TRUE,
                                                (size_t)offset, (size_t)bytes, to, 0, NULL, NULL);
    return adi_opencl_check("clEnqueueReadBuffer", code, error);
}

int base_wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event == NULL) return 0;
    cl_int code =
        base_api->clEnqueueBarrierWithWaitList(lent(device), 1, (cl_event *)sync_event, NULL);
    return adi_opencl_check("clEnqueueBarrierWithWaitList", code, error);
}

static void begin(void) {
    base_api = adi_opencl_api(NULL);
}

const struct base_kind base_kind = {
    .name = "opencl base", .device = &adi_device_opencl, .begin = begin};
