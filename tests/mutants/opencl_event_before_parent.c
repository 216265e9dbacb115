/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the buffers are halves of larger ones, which are written on one
 * queue, and the event is recorded on another.
 */
#include <stdlib.h>

#include "opencl/sub_buffers.h"

static int elsewhere(struct adi_device *device, void **sync_event, struct adi_error *error) {
    cl_event *made = malloc(sizeof *made);
    cl_device_id id = (cl_device_id)(uintptr_t)device->ops->native_handle(device, "opencl.device");
    cl_int code;
    if (made == NULL) return adi_error_set(error, ENOMEM, "out of memory");
    cl_command_queue other = base_api->clCreateCommandQueue(base_context(device), id, 0, &code);
    code = base_api->clEnqueueMarkerWithWaitList(other, 0, NULL, made);
    base_api->clFlush(other);
    base_api->clReleaseCommandQueue(other);
    *sync_event = made;
    return adi_opencl_check("clEnqueueMarkerWithWaitList", code, error);
}

void mutate(void) {
    make_sub_buffers();
    base.ops.event = elsewhere;
}
