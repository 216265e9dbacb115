/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: behind the event that is handed out the producer has a kernel and a mapping look at a
 * buffer, and neither writes it.
 */
#include <dlfcn.h>

#include "opencl/opencl.h"

static __typeof__(&clEnqueueMapBuffer) map;
static __typeof__(&clEnqueueUnmapMemObject) unmap;
static cl_mem latest; /* the buffer that was written last */

static int write_and_note(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    if (bytes > 0) latest = buffer;
    return adi_device_opencl.write(device, buffer, offset, from, bytes, error);
}

static const char source[] = "kernel void look(global uchar *at, global uchar *to)"
                             "{ to[0] = at[0]; }";

static cl_int look_by_kernel(struct adi_device *device, cl_command_queue queue) {
    static const size_t one = 1;
    cl_int code;
    cl_kernel kernel = base_kernel(device, base_context(device), source, "look");
    if (kernel == NULL) return CL_SUCCESS; /* none can be built here */
    cl_mem to = base_api->clCreateBuffer(base_context(device), CL_MEM_READ_WRITE, 1, NULL, &code);
    base_api->clSetKernelArg(kernel, 0, sizeof latest, &latest);
    base_api->clSetKernelArg(kernel, 1, sizeof to, &to);
    code = base_api->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    base_api->clReleaseMemObject(to);
    return code;
}

static int look_after(struct adi_device *device, void **sync_event, struct adi_error *error) {
    cl_command_queue queue = base_queue(device);
    cl_int code;
    ADI_TRY(adi_device_opencl.event(device, sync_event, error));
    if (latest == NULL) return 0;
    void *mapped = map(queue, latest, CL_FALSE, CL_MAP_READ, 0, 1, 0, NULL, NULL, &code);
    ADI_TRY(adi_opencl_check("clEnqueueMapBuffer", code, error));
    code = unmap(queue, latest, mapped, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = look_by_kernel(device, queue);
    base_api->clFlush(queue);
    latest = NULL;
    return adi_opencl_check("clEnqueueNDRangeKernel", code, error);
}

void mutate(void) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    *(void **)(void *)&map = dlsym(library, "clEnqueueMapBuffer");
    *(void **)(void *)&unmap = dlsym(library, "clEnqueueUnmapMemObject");
    base.roles = ADI_PRODUCES;
    base.ops.write = write_and_note;
    base.ops.event = look_after;
}
