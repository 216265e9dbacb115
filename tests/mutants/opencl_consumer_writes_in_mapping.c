/* SPDX-License-Identifier: Apache-2.0
 *
 * array/buffer-mutated, consumer: a buffer is read through a mapping, and changed there.
 */
#include <dlfcn.h>
#include <string.h>

#include "opencl/opencl.h"

static __typeof__(&clEnqueueMapBuffer) map;
static __typeof__(&clEnqueueUnmapMemObject) unmap;

static int read_and_invert(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                           int64_t bytes, struct adi_error *error) {
    cl_mem own = (cl_mem)(uintptr_t)buffer;
    cl_context context;
    cl_command_queue queue;
    cl_int code;
    char inverted;
    if (bytes == 0) return 0;
    ADI_TRY(base_queue_of(device, buffer, &context, &queue, error));
    char *mapped = map(queue, own, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, (size_t)offset,
                       (size_t)bytes, 0, NULL, NULL, &code);
    ADI_TRY(adi_opencl_check("clEnqueueMapBuffer", code, error));
    memcpy(to, mapped, (size_t)bytes);
    mapped[0] = (char)~mapped[0];
    unmap(queue, own, mapped, 0, NULL, NULL);
    code = base_api->clEnqueueReadBuffer(queue, own, CL_TRUE, 0, 1, &inverted, 0, NULL, NULL);
    base_api->clReleaseCommandQueue(queue);
    return adi_opencl_check("clEnqueueReadBuffer", code, error);
}

void mutate(void) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    *(void **)(void *)&map = dlsym(library, "clEnqueueMapBuffer");
    *(void **)(void *)&unmap = dlsym(library, "clEnqueueUnmapMemObject");
    base.roles = ADI_CONSUMES;
    base.ops.read = read_and_invert;
}
