/* SPDX-License-Identifier: Apache-2.0 */
#include "cl_usm.h"

#include <string.h>

#include "cl_pause.h"

typedef cl_bitfield properties; /* cl_mem_properties_intel */

/* What the runtime has given for each name; of a second platform's own nothing is seen. */
/* clang-format off */
#define FUNCTIONS(F)                                                                               \
    F(void *, clDeviceMemAllocINTEL, (cl_context context, cl_device_id device,                     \
      const properties *how, size_t bytes, cl_uint alignment, cl_int *code))                       \
    F(void *, clHostMemAllocINTEL, (cl_context context, const properties *how, size_t bytes,       \
      cl_uint alignment, cl_int *code))                                                            \
    F(void *, clSharedMemAllocINTEL, (cl_context context, cl_device_id device,                     \
      const properties *how, size_t bytes, cl_uint alignment, cl_int *code))                       \
    F(cl_int, clMemFreeINTEL, (cl_context context, void *at))                                      \
    F(cl_int, clMemBlockingFreeINTEL, (cl_context context, void *at))                              \
    F(cl_int, clEnqueueMemcpyINTEL, (cl_command_queue queue, cl_bool blocks, void *to,             \
      const void *from, size_t bytes, cl_uint n_waits, const cl_event *waits, cl_event *event))    \
    F(cl_int, clEnqueueMemFillINTEL, (cl_command_queue queue, void *at, const void *pattern,       \
      size_t width, size_t bytes, cl_uint n_waits, const cl_event *waits, cl_event *event))        \
    F(cl_int, clSetKernelArgMemPointerINTEL, (cl_kernel kernel, cl_uint index, const void *value))
/* clang-format on */

static struct {
#define MEMBER(type, name, params) type(CL_API_CALL *name) params;
    FUNCTIONS(MEMBER)
#undef MEMBER
} next;

static void *add(cl_context context, size_t bytes, void *made, const char *made_by) {
    objects_lock();
    struct object *object = objects_add(made, ADI_OPENCL_SHARED, made_by);
    if (object != NULL) {
        object->of = context;
        object->bytes = bytes;
    }
    objects_unlock();
    return made;
}

static void *CL_API_CALL clDeviceMemAllocINTEL_seen(cl_context context, cl_device_id device,
                                                    const properties *how, size_t bytes,
                                                    cl_uint alignment, cl_int *code) {
    void *made = next.clDeviceMemAllocINTEL(context, device, how, bytes, alignment, code);
    return add(context, bytes, made, "clDeviceMemAllocINTEL");
}

static void *CL_API_CALL clHostMemAllocINTEL_seen(cl_context context, const properties *how,
                                                  size_t bytes, cl_uint alignment, cl_int *code) {
    void *made = next.clHostMemAllocINTEL(context, how, bytes, alignment, code);
    return add(context, bytes, made, "clHostMemAllocINTEL");
}

static void *CL_API_CALL clSharedMemAllocINTEL_seen(cl_context context, cl_device_id device,
                                                    const properties *how, size_t bytes,
                                                    cl_uint alignment, cl_int *code) {
    void *made = next.clSharedMemAllocINTEL(context, device, how, bytes, alignment, code);
    return add(context, bytes, made, "clSharedMemAllocINTEL");
}

static cl_int CL_API_CALL clMemFreeINTEL_seen(cl_context context, void *at) {
    if (!object_may_release("clMemFreeINTEL", at)) return CL_INVALID_VALUE;
    return next.clMemFreeINTEL(context, at);
}

/* It waits for what is in the queues, paused or not. */
static cl_int CL_API_CALL clMemBlockingFreeINTEL_seen(cl_context context, void *at) {
    if (!object_may_release("clMemBlockingFreeINTEL", at)) return CL_INVALID_VALUE;
    queues_resume();
    return next.clMemBlockingFreeINTEL(context, at);
}

static cl_mem handle_of(const struct object *shared) {
    return (cl_mem)(uintptr_t)(shared != NULL ? shared->handle : 0);
}
static UNDER_LOCK(cl_mem, shared_at, (const void *address), handle_of(objects_shared(address)))

/* Not CL_SUCCESS: the bytes are not all there, and that has been said. Memory that was freed is not
 * looked for: on a CPU malloc() may have given the same addresses since. */
static cl_int check_bytes(const char *call, const void *address, size_t bytes) {
    objects_lock();
    const struct object *live = objects_shared(address);
    size_t at = live == NULL ? 0 : (size_t)((uintptr_t)address - live->handle);
    size_t there = live == NULL ? 0 : live->bytes;
    objects_unlock();
    if (live == NULL || bytes <= there - at) return CL_SUCCESS;
    adi_misused(ADI_MISUSE_BEYOND, false, "%s uses %zu bytes at byte %zu of memory of %zu", call,
                bytes, at, there);
    return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL clEnqueueMemcpyINTEL_seen(cl_command_queue queue, cl_bool blocks,
                                                    void *to, const void *from, size_t bytes,
                                                    cl_uint n_waits, const cl_event *waits,
                                                    cl_event *event) {
    struct command seen = {.call = "clEnqueueMemcpyINTEL",
                           .queue = queue,
                           .n_waits = n_waits,
                           .waits = waits,
                           .blocking = blocks,
                           .reads = {shared_at(from)},
                           .read = {(uintptr_t)from, bytes},
                           .writes = {shared_at(to)},
                           .written = {(uintptr_t)to, bytes}};
    ADI_TRY(check_bytes(seen.call, to, bytes));
    ADI_TRY(check_bytes(seen.call, from, bytes));
    ADI_TRY(command_begin(&seen));
    cl_int code = next.clEnqueueMemcpyINTEL(queue, blocks, to, from, bytes, n_waits, waits, event);
    return command_end(&seen, code, event);
}

static cl_int CL_API_CALL clEnqueueMemFillINTEL_seen(cl_command_queue queue, void *at,
                                                     const void *pattern, size_t width,
                                                     size_t bytes, cl_uint n_waits,
                                                     const cl_event *waits, cl_event *event) {
    struct command seen = {.call = "clEnqueueMemFillINTEL",
                           .queue = queue,
                           .n_waits = n_waits,
                           .waits = waits,
                           .writes = {shared_at(at)},
                           .written = {(uintptr_t)at, bytes}};
    ADI_TRY(check_bytes(seen.call, at, bytes));
    ADI_TRY(command_begin(&seen));
    cl_int code =
        next.clEnqueueMemFillINTEL(queue, at, pattern, width, bytes, n_waits, waits, event);
    return command_end(&seen, code, event);
}

static cl_int CL_API_CALL clSetKernelArgMemPointerINTEL_seen(cl_kernel kernel, cl_uint index,
                                                             const void *value) {
    kernel_takes(kernel, index, shared_at(value));
    return next.clSetKernelArgMemPointerINTEL(kernel, index, value);
}

/* ---- by name ---- */

static void *take(const char *name, void *found) {
    static const struct {
        const char *name;
        size_t at;
        void (*seen)(void);
    } functions[] = {
#define ROW(type, name, params)                                                                    \
    {#name, (size_t)((char *)&next.name - (char *)&next), (void (*)(void))name##_seen},
        FUNCTIONS(ROW)
#undef ROW
    };
    for (size_t i = 0; found != NULL && i < sizeof functions / sizeof *functions; i++) {
        void **slot = (void **)(void *)((char *)&next + functions[i].at);
        if (strcmp(functions[i].name, name) != 0) continue;
        objects_lock();
        if (*slot == NULL) *slot = found;
        bool same = *slot == found;
        objects_unlock();
        if (same) memcpy(&found, &functions[i].seen, sizeof found);
        break;
    }
    return found;
}

static void *CL_API_CALL for_platform_seen(cl_platform_id platform, const char *name) {
    return take(name, next_layer->clGetExtensionFunctionAddressForPlatform(platform, name));
}

static void *CL_API_CALL address_seen(const char *name) {
    return take(name, next_layer->clGetExtensionFunctionAddress(name));
}

void usm_put(cl_icd_dispatch *seen) {
    if (next_layer->clGetExtensionFunctionAddressForPlatform != NULL)
        seen->clGetExtensionFunctionAddressForPlatform = for_platform_seen;
    if (next_layer->clGetExtensionFunctionAddress != NULL)
        seen->clGetExtensionFunctionAddress = address_seen;
}
