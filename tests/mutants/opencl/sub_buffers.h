/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers that are halves of larger ones, and are written by way of those.
 */
#ifndef OPENCL_SUB_BUFFERS_H
#define OPENCL_SUB_BUFFERS_H

#include <dlfcn.h>
#include <errno.h>

#include "opencl.h"

#define BUFFERS 4096

static __typeof__(&clCreateSubBuffer) sub_buffer;
static struct {
    cl_mem parent, part; /* NULL: free */
    size_t origin;
} buffers[BUFFERS];

static int find(const void *part) {
    int at = 0;
    while (at < BUFFERS && (const void *)buffers[at].part != part) at++;
    return at;
}

static int alloc_part(struct adi_device *device, int64_t bytes, void **buffer,
                      struct adi_error *error) {
    cl_int code;
    int at = find(NULL);
    size_t half = ((size_t)bytes + 4095) / 4096 * 4096; /* any device's alignment */
    if (at == BUFFERS) return adi_error_set(error, ENOMEM, "no more buffers");
    cl_mem parent =
        base_api->clCreateBuffer(base_context(device), CL_MEM_READ_WRITE, 2 * half, NULL, &code);
    ADI_TRY(adi_opencl_check("clCreateBuffer", code, error));
    cl_buffer_region region = {half, (size_t)bytes};
    cl_mem part =
        sub_buffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code != CL_SUCCESS) base_api->clReleaseMemObject(parent);
    ADI_TRY(adi_opencl_check("clCreateSubBuffer", code, error));
    buffers[at].parent = parent;
    buffers[at].part = part;
    buffers[at].origin = half;
    *buffer = part;
    return 0;
}

static int write_parent(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    int at = find(buffer);
    if (at == BUFFERS) return adi_error_set(error, EFAULT, "no buffer of ours");
    return adi_device_opencl.write(device, buffers[at].parent, offset + (int64_t)buffers[at].origin,
                                   from, bytes, error);
}

static void free_part(struct adi_device *device, void *buffer) {
    int at = find(buffer);
    (void)device;
    if (at == BUFFERS) return;
    base_api->clReleaseMemObject(buffers[at].part);
    base_api->clReleaseMemObject(buffers[at].parent);
    buffers[at].part = NULL;
}

static void make_sub_buffers(void) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    *(void **)(void *)&sub_buffer = dlsym(library, "clCreateSubBuffer");
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_part;
    base.ops.write = write_parent;
    base.ops.free = free_part;
}

#endif /* OPENCL_SUB_BUFFERS_H */
