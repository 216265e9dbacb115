/* SPDX-License-Identifier: Apache-2.0
 *
 * References to the buffers of an array, beside those that its producer has.
 */
#ifndef OPENCL_RETAINS_H
#define OPENCL_RETAINS_H

#include <dlfcn.h>

#include "opencl.h"

#define RETAINED 256

static __typeof__(&clRetainMemObject) retain_memory;

static cl_mem retained[RETAINED];
static size_t n_retained;

static void retain(const struct ArrowArray *array) {
    if (retain_memory == NULL)
        *(void **)&retain_memory = dlsym(dlopen("libOpenCL.so.1", RTLD_NOW), "clRetainMemObject");
    for (int64_t i = 0; i < array->n_buffers; i++) {
        cl_mem buffer = (cl_mem)(uintptr_t)array->buffers[i];
        if (buffer == NULL || n_retained == RETAINED) continue;
        if (retain_memory(buffer) == CL_SUCCESS) retained[n_retained++] = buffer;
    }
    for (int64_t i = 0; i < array->n_children; i++) retain(array->children[i]);
    if (array->dictionary != NULL) retain(array->dictionary);
}

static void give_back(struct adi_device *device) {
    (void)device;
    while (n_retained > 0) base_api->clReleaseMemObject(retained[--n_retained]);
}

#endif /* OPENCL_RETAINS_H */
