/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: what has been read is overwritten in place.
 */
#include "opencl/opencl.h"

static int read_and_clear(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                          int64_t bytes, struct adi_error *error) {
    static const char zeros[64];
    cl_mem own = (cl_mem)(uintptr_t)buffer;
    size_t n = (size_t)bytes < sizeof zeros ? (size_t)bytes : sizeof zeros;
    ADI_TRY(adi_device_opencl.read(device, buffer, offset, to, bytes, error));
    if (bytes == 0) return 0;
    cl_context context;
    cl_command_queue queue;
    ADI_TRY(base_queue_of(device, buffer, &context, &queue, error));
    cl_int code = base_api->clEnqueueWriteBuffer(queue, own, CL_TRUE, (size_t)offset, n, zeros, 0,
                                                 NULL, NULL);
    base_api->clReleaseCommandQueue(queue);
    return adi_opencl_check("clEnqueueWriteBuffer", code, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_clear;
}
