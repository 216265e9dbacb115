/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the buffers are read without a look at the event, by way of
 * sub-buffers.
 */
#include <dlfcn.h>

#include "opencl/opencl.h"

static __typeof__(&clCreateSubBuffer) sub_buffer;

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static int read_part(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                     int64_t bytes, struct adi_error *error) {
    cl_int code;
    if (bytes == 0) return 0;
    cl_buffer_region region = {0, (size_t)(offset + bytes)};
    cl_mem part = sub_buffer((cl_mem)(uintptr_t)buffer, CL_MEM_READ_ONLY,
                             CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    ADI_TRY(adi_opencl_check("clCreateSubBuffer", code, error));
    code = adi_device_opencl.read(device, part, offset, to, bytes, error);
    base_api->clReleaseMemObject(part);
    return code;
}

void mutate(void) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    *(void **)(void *)&sub_buffer = dlsym(library, "clCreateSubBuffer");
    base.roles = ADI_CONSUMES;
    base.ops.wait = never;
    base.ops.read = read_part;
}
