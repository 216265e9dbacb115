/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: what has been read is changed in place by a kernel. No call tells
 * what that does with the buffer.
 */
#include "opencl/opencl.h"

static const char source[] = "kernel void invert(global uchar *at) { at[0] = ~at[0]; }";

static int read_and_invert(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                           int64_t bytes, struct adi_error *error) {
    static const size_t one = 1;
    cl_mem own = (cl_mem)(uintptr_t)buffer;
    char inverted;
    ADI_TRY(adi_device_opencl.read(device, buffer, offset, to, bytes, error));
    if (bytes == 0) return 0;
    cl_context context;
    cl_command_queue queue;
    ADI_TRY(base_queue_of(device, buffer, &context, &queue, error));
    cl_kernel kernel = base_kernel(device, context, source, "invert");
    base_api->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    base_api->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    cl_int code =
        base_api->clEnqueueReadBuffer(queue, own, CL_TRUE, 0, 1, &inverted, 0, NULL, NULL);
    base_api->clReleaseCommandQueue(queue);
    return adi_opencl_check("clEnqueueReadBuffer", code, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_invert;
}
