/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: two queues write the buffers in turns, and the event is recorded
 * on one of them.
 */
#include "opencl/opencl.h"

static cl_command_queue other; /* of the device below */
static const struct adi_device *of;
static unsigned writes;

static int open_other(struct adi_device *device, struct adi_error *error) {
    cl_int code;
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    if (of == device) return 0;
    if (other != NULL) base_api->clReleaseCommandQueue(other);
    of = device;
    other = base_api->clCreateCommandQueue(base_context(device), id, 0, &code);
    return adi_opencl_check("clCreateCommandQueue", code, error);
}

static int write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    cl_int code;
    if (bytes == 0 || ++writes % 2 == 0)
        return adi_device_opencl.write(device, buffer, offset, from, bytes, error);
    ADI_TRY(open_other(device, error));
    cl_mem copy =
        base_api->clCreateBuffer(base_context(device), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                 (size_t)bytes, (void *)(uintptr_t)from, &code);
    code = base_api->clEnqueueCopyBuffer(other, copy, buffer, 0, (size_t)offset, (size_t)bytes, 0,
                                         NULL, NULL);
    base_api->clFlush(other);
    base_api->clReleaseMemObject(copy);
    return adi_opencl_check("clEnqueueCopyBuffer", code, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_in_turns;
}
