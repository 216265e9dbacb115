/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffers are shared virtual memory of the context that `context_of` names, written by the
 * queue that `queue_of` names.
 */
#include <dlfcn.h>
#include <errno.h>

static cl_context context_of(struct adi_device *device);
static cl_command_queue queue_of(struct adi_device *device);

static __typeof__(&clSVMAlloc) svm_alloc;
static __typeof__(&clSVMFree) svm_free;

static int alloc_shared(struct adi_device *device, int64_t bytes, void **buffer,
                        struct adi_error *error) {
    *buffer = svm_alloc(context_of(device), CL_MEM_READ_WRITE, (size_t)bytes, 64);
    return *buffer != NULL ? 0 : adi_error_set(error, ENOMEM, "clSVMAlloc");
}

static void free_shared(struct adi_device *device, void *buffer) {
    svm_free(context_of(device), buffer);
}

static int write_shared(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    cl_int code = base_api->clEnqueueSVMMemcpy(queue_of(device), CL_TRUE, (char *)buffer + offset,
                                               from, (size_t)bytes, 0, NULL, NULL);
    return adi_opencl_check("clEnqueueSVMMemcpy", code, error);
}

static void share(void) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    *(void **)(void *)&svm_alloc = dlsym(library, "clSVMAlloc");
    *(void **)(void *)&svm_free = dlsym(library, "clSVMFree");
    base.roles = ADI_PRODUCES;
    base.ops.alloc = alloc_shared;
    base.ops.free = free_shared;
    base.ops.write = write_shared;
}
