/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared virtual memory: OpenCL has no call that says what an address is. The layer has seen it
 * being made; without it, buffers of the contexts that are known can be asked.
 */
#include <errno.h>

#include "host.h"
#include "opencl_internal.h"

/* A buffer that is made of an address knows whether that is shared memory of the context. */
static bool is_shared_in(const struct adi_opencl *opencl, cl_context context, const void *address) {
    cl_bool is = CL_FALSE;
    cl_int code;
    cl_mem made = opencl->api->clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, 1,
                                              (void *)(uintptr_t)address, &code);
    if (code != CL_SUCCESS) return false;
    opencl->api->clGetMemObjectInfo(made, CL_MEM_USES_SVM_POINTER, sizeof is, &is, NULL);
    opencl->api->clReleaseMemObject(made);
    return is == CL_TRUE;
}

/* What can be asked where nobody has seen it being made; how much there is of it cannot. */
static bool feel_shared(const struct adi_opencl *opencl, const void *buffer,
                        struct adi_opencl_seen *seen) {
    char first;
    if (adi_opencl_is(opencl->device, buffer, ADI_OPENCL_MEMORY) ||
        adi_host_read(buffer, 0, &first, 1, NULL) != 0)
        return false;
    for (const struct adi_opencl_lane *at = opencl->first; at != NULL; at = at->next) {
        if (!is_shared_in(opencl, at->context, buffer)) continue;
        *seen = (struct adi_opencl_seen){ADI_OPENCL_SHARED, true, at->context, SIZE_MAX};
        return true;
    }
    return false;
}

bool adi_opencl_is_shared(const struct adi_opencl *opencl, const void *buffer,
                          struct adi_opencl_seen *seen) {
    const struct adi_opencl_layer *layer = adi_opencl_layer();
    if (layer == NULL) return feel_shared(opencl, buffer, seen);
    *seen = layer->look(buffer);
    return seen->kind == ADI_OPENCL_SHARED && seen->live;
}

bool adi_opencl_can_identify(struct adi_device *device, const void *buffer, struct adi_error *why) {
    const struct adi_opencl *opencl = device->state;
    cl_device_svm_capabilities can = 0;
    struct adi_opencl_seen seen;
    if (adi_opencl_layer() != NULL || adi_opencl_is(opencl->device, buffer, ADI_OPENCL_MEMORY) ||
        opencl->api->clGetDeviceInfo(opencl->device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can,
                                     NULL) != CL_SUCCESS ||
        can == 0 || adi_opencl_is_shared(opencl, buffer, &seen))
        return true;
    adi_error_set(
        why, ENOTSUP,
        "%p is no cl_mem; whether it is shared virtual memory is seen by " ADI_OPENCL_LAYER
        " only, which is not there, or which the OpenCL loader does not take in "
        "(OPENCL_LAYERS; ocl-icd does from 2.3 on)",
        buffer);
    return false;
}
