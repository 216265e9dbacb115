/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: all is queued on a queue without an order, and markers and barriers make one.
 */
#include "opencl/opencl.h"
#include "opencl_internal.h"

static int open_unordered(int64_t id, struct adi_device *out, struct adi_error *error) {
    ADI_TRY(adi_device_opencl.open(id, out, error));
    struct adi_opencl *opencl = out->state;
    cl_int code;
    cl_command_queue queue = base_api->clCreateCommandQueue(
        opencl->first->context, opencl->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    if (code != CL_SUCCESS) {
        adi_device_opencl.close(out);
        return adi_opencl_check("clCreateCommandQueue", code, error);
    }
    base_api->clReleaseCommandQueue(opencl->first->queue);
    opencl->first->queue = queue;
    return 0;
}

void mutate(void) {
    base.ops.open = open_unordered;
}
