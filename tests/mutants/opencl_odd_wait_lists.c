/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: on a queue without an order each write has an event, what is handed out is an event behind
 * all of them by a list, and each read has the producer's event in its own.
 */
#include "opencl/opencl.h"

#define WRITES 256 /* more than an export has */

static cl_command_queue queue;
static cl_event writes[WRITES], awaited;
static cl_uint n;

static int open_queue(struct adi_device *device, cl_context context, struct adi_error *error) {
    cl_int code = CL_SUCCESS;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    if (queue == NULL)
        queue = base_api->clCreateCommandQueue(context, id, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                               &code);
    return adi_opencl_check("clCreateCommandQueue", code, error);
}

static void close_queue(struct adi_device *device) {
    (void)device;
    if (queue != NULL) base_api->clReleaseCommandQueue(queue);
    queue = NULL;
}

/* ---- producing ---- */

static int write_in_list(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                         int64_t bytes, struct adi_error *error) {
    cl_int code;
    if (bytes == 0) return 0;
    if (n == WRITES) return adi_device_opencl.write(device, buffer, offset, from, bytes, error);
    ADI_TRY(open_queue(device, base_context(device), error));
    cl_mem copy =
        base_api->clCreateBuffer(base_context(device), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 (size_t)bytes, (void *)(uintptr_t)from, &code);
    ADI_TRY(adi_opencl_check("clCreateBuffer", code, error));
    code = base_api->clEnqueueCopyBuffer(queue, copy, buffer, 0, (size_t)offset, (size_t)bytes, 0,
                                         NULL, &writes[n]);
    base_api->clReleaseMemObject(copy);
    n += code == CL_SUCCESS;
    return adi_opencl_check("clEnqueueCopyBuffer", code, error);
}

static int event_of_list(struct adi_device *device, void **sync_event, struct adi_error *error) {
    cl_event all;
    ADI_TRY(adi_device_opencl.event(device, sync_event, error));
    if (n == 0) return 0;
    cl_int code = base_api->clEnqueueMarkerWithWaitList(queue, n, writes, &all);
    while (n > 0) base_api->clReleaseEvent(writes[--n]);
    ADI_TRY(adi_opencl_check("clEnqueueMarkerWithWaitList", code, error));
    base_api->clFlush(queue);
    base_api->clReleaseEvent(*(cl_event *)*sync_event);
    *(cl_event *)*sync_event = all;
    close_queue(device);
    return 0;
}

/* ---- consuming ---- */

static int note_event(struct adi_device *device, void *sync_event, struct adi_error *error) {
    cl_context context;
    if (sync_event == NULL) return 0;
    awaited = *(cl_event *)sync_event;
    base_api->clGetEventInfo(awaited, CL_EVENT_CONTEXT, sizeof context, &context, NULL);
    return open_queue(device, context, error);
}

static int read_in_list(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                        int64_t bytes, struct adi_error *error) {
    if (awaited == NULL || bytes == 0)
        return adi_device_opencl.read(device, buffer, offset, to, bytes, error);
    cl_int code =
        base_api->clEnqueueReadBuffer(queue, (cl_mem)(uintptr_t)buffer, CL_TRUE, (size_t)offset,
                                      (size_t)bytes, to, 1, &awaited, NULL);
    return adi_opencl_check("clEnqueueReadBuffer", code, error);
}

static void forget_event(struct adi_device *device) {
    awaited = NULL;
    close_queue(device);
}

void mutate(void) {
    base.roles = ADI_PRODUCES | ADI_CONSUMES;
    base.ops.write = write_in_list;
    base.ops.event = event_of_list;
    base.ops.wait = note_event;
    base.ops.read = read_in_list;
    base.released = forget_event;
}
