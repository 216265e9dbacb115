/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the writes are on a queue without an order, and the event is that
 * of the first of them.
 */
#include "opencl/opencl.h"

static cl_command_queue queue; /* while an array is made */
static cl_event first;         /* of its writes */

static int write_unordered(struct adi_device *device, void *buffer, int64_t offset,
                           const void *from, int64_t bytes, struct adi_error *error) {
    cl_int code = CL_SUCCESS;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    if (bytes == 0) return 0;
    if (queue == NULL)
        queue = base_api->clCreateCommandQueue(base_context(device), id,
                                               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    ADI_TRY(adi_opencl_check("clCreateCommandQueue", code, error));
    cl_mem copy =
        base_api->clCreateBuffer(base_context(device), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 (size_t)bytes, (void *)(uintptr_t)from, &code);
    code = base_api->clEnqueueCopyBuffer(queue, copy, buffer, 0, (size_t)offset, (size_t)bytes, 0,
                                         NULL, first == NULL ? &first : NULL);
    base_api->clReleaseMemObject(copy);
    return adi_opencl_check("clEnqueueCopyBuffer", code, error);
}

static int event_of_first(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(adi_device_opencl.event(device, sync_event, error));
    if (first == NULL) return 0;
    base_api->clFlush(queue);
    base_api->clReleaseCommandQueue(queue);
    base_api->clReleaseEvent(*(cl_event *)*sync_event);
    *(cl_event *)*sync_event = first;
    first = NULL;
    queue = NULL;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_unordered;
    base.ops.event = event_of_first;
}
