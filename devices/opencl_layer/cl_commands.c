/* SPDX-License-Identifier: Apache-2.0
 *
 * Every command that can be put into a queue.
 */
#include <string.h>

#include "cl_pause.h"

#define WAITS    cl_uint n_waits, const cl_event *waits, cl_event *event
#define WAITS_IN n_waits, waits, event

/* The shared memory that the address lies in, in place of a buffer; NULL: none. */
static cl_mem handle_of(const struct object *shared) {
    return (cl_mem)(uintptr_t)(shared != NULL ? shared->handle : 0);
}
static UNDER_LOCK(cl_mem, shared_at, (const void *address), handle_of(objects_shared(address)))

/* NULL: nobody has mapped it but to read. */
static cl_mem mapped_to_write(cl_mem buffer) {
    objects_lock();
    const struct object *object = objects_find(buffer);
    bool writes = object == NULL || object->mapped_to_write;
    objects_unlock();
    return writes ? buffer : NULL;
}

static void note_map(cl_mem buffer, cl_map_flags flags) {
    objects_lock();
    struct object *object = objects_find(buffer);
    if (object != NULL && (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0)
        object->mapped_to_write = true;
    objects_unlock();
}

/* clang-format off */
#define CALLED(name, params, args, event, ...)                                                     \
    static cl_int CL_API_CALL name##_seen params {                                                 \
        struct command seen = {.call = #name, .queue = queue, __VA_ARGS__};                        \
        ADI_TRY(command_begin(&seen));                                                             \
        return command_end(&seen, next_layer->name args, event);                                   \
    }
#define COMMAND(name, params, args, ...)                                                           \
    CALLED(name, params, args, event, .n_waits = n_waits, .waits = waits, __VA_ARGS__)

COMMAND(clEnqueueReadBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t at, size_t bytes, void *to,
         WAITS),
        (queue, buffer, blocks, at, bytes, to, WAITS_IN),
        .blocking = blocks, .reads = {buffer}, .read = {at, bytes})
COMMAND(clEnqueueWriteBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocks, size_t at, size_t bytes,
         const void *from, WAITS),
        (queue, buffer, blocks, at, bytes, from, WAITS_IN),
        .blocking = blocks, .writes = {buffer}, .written = {at, bytes})
COMMAND(clEnqueueReadBufferRect,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocks, const size_t *at,
         const size_t *host_at,
         const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice,
         void *to, WAITS),
        (queue, buffer, blocks, at, host_at, region, row, slice, host_row, host_slice, to,
         WAITS_IN),
        .blocking = blocks, .reads = {buffer})
COMMAND(clEnqueueWriteBufferRect,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocks, const size_t *at,
         const size_t *host_at,
         const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice,
         const void *from, WAITS),
        (queue, buffer, blocks, at, host_at, region, row, slice, host_row, host_slice, from,
         WAITS_IN),
        .blocking = blocks, .writes = {buffer})
COMMAND(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t width, size_t at,
         size_t bytes, WAITS),
        (queue, buffer, pattern, width, at, bytes, WAITS_IN),
        .writes = {buffer}, .written = {at, bytes})
COMMAND(clEnqueueCopyBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at, size_t to_at,
         size_t bytes, WAITS),
        (queue, from, to, from_at, to_at, bytes, WAITS_IN),
        .reads = {from}, .read = {from_at, bytes}, .writes = {to}, .written = {to_at, bytes})
COMMAND(clEnqueueCopyBufferRect,
        (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_at, const size_t *to_at,
         const size_t *region, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice,
         WAITS),
        (queue, from, to, from_at, to_at, region, from_row, from_slice, to_row, to_slice, WAITS_IN),
        .reads = {from}, .writes = {to})
COMMAND(clEnqueueUnmapMemObject,
        (cl_command_queue queue, cl_mem buffer, void *mapped, WAITS),
        (queue, buffer, mapped, WAITS_IN),
        .reads = {buffer}, .writes = {mapped_to_write(buffer)}, .may_read = true,
        .unmaps = true)
COMMAND(clEnqueueMarkerWithWaitList, (cl_command_queue queue, WAITS), (queue, WAITS_IN),
.marks = true)
COMMAND(clEnqueueBarrierWithWaitList, (cl_command_queue queue, WAITS), (queue, WAITS_IN),
.marks = true, .orders = true)
COMMAND(clEnqueueSVMMemcpy,
        (cl_command_queue queue, cl_bool blocks, void *to, const void *from, size_t bytes, WAITS),
        (queue, blocks, to, from, bytes, WAITS_IN),
        .blocking = blocks, .reads = {shared_at(from)}, .read = {(uintptr_t)from, bytes},
        .writes = {shared_at(to)}, .written = {(uintptr_t)to, bytes})
COMMAND(clEnqueueSVMMap,
        (cl_command_queue queue, cl_bool blocks, cl_map_flags flags, void *at, size_t bytes, WAITS),
        (queue, blocks, flags, at, bytes, WAITS_IN),
        .blocking = blocks, .reads = {shared_at(at)}, .read = {(uintptr_t)at, bytes})
COMMAND(clEnqueueSVMMemFill,
        (cl_command_queue queue, void *at, const void *pattern, size_t width, size_t bytes, WAITS),
        (queue, at, pattern, width, bytes, WAITS_IN), .writes = {shared_at(at)},
        .written = {(uintptr_t)at, bytes})
COMMAND(clEnqueueSVMUnmap,
        (cl_command_queue queue, void *at, WAITS), (queue, at, WAITS_IN),
        .writes = {shared_at(at)}, .may_read = true)
COMMAND(clEnqueueSVMMigrateMem,
        (cl_command_queue queue, cl_uint n, const void **at, const size_t *bytes,
         cl_mem_migration_flags flags, WAITS),
        (queue, n, at, bytes, flags, WAITS_IN), .blocking = false)
COMMAND(clEnqueueReadImage,
        (cl_command_queue queue, cl_mem image, cl_bool blocks, const size_t *at,
         const size_t *region, size_t row,
         size_t slice, void *to, WAITS),
        (queue, image, blocks, at, region, row, slice, to, WAITS_IN),
        .blocking = blocks, .reads = {image})
COMMAND(clEnqueueWriteImage,
        (cl_command_queue queue, cl_mem image, cl_bool blocks, const size_t *at,
         const size_t *region, size_t row,
         size_t slice, const void *from, WAITS),
        (queue, image, blocks, at, region, row, slice, from, WAITS_IN),
        .blocking = blocks, .writes = {image})
COMMAND(clEnqueueCopyImage,
        (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_at, const size_t *to_at,
         const size_t *region, WAITS),
        (queue, from, to, from_at, to_at, region, WAITS_IN),
        .reads = {from}, .writes = {to})
COMMAND(clEnqueueCopyImageToBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_at,
         const size_t *region, size_t to_at, WAITS),
        (queue, from, to, from_at, region, to_at, WAITS_IN),
        .reads = {from}, .writes = {to})
COMMAND(clEnqueueCopyBufferToImage,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at, const size_t *to_at,
         const size_t *region, WAITS),
        (queue, from, to, from_at, to_at, region, WAITS_IN),
        .reads = {from}, .writes = {to})
COMMAND(clEnqueueFillImage,
        (cl_command_queue queue, cl_mem image, const void *color, const size_t at[3],
         const size_t region[3], WAITS),
        (queue, image, color, at, region, WAITS_IN),
        .writes = {image})
COMMAND(clEnqueueMigrateMemObjects,
        (cl_command_queue queue, cl_uint n, const cl_mem *buffers, cl_mem_migration_flags flags,
         WAITS),
        (queue, n, buffers, flags, WAITS_IN), .n_others = n, .others = buffers)
COMMAND(clEnqueueNDRangeKernel,
        (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *at,
         const size_t *global, const size_t *local, WAITS),
        (queue, kernel, dimensions, at, global, local, WAITS_IN), .kernel = kernel)
COMMAND(clEnqueueTask, (cl_command_queue queue, cl_kernel kernel, WAITS), (queue, kernel, WAITS_IN),
        .kernel = kernel)
CALLED(clEnqueueMarker, (cl_command_queue queue, cl_event *event), (queue, event), event,
       .marks = true)
CALLED(clEnqueueBarrier, (cl_command_queue queue), (queue), NULL, .marks = true, .orders = true)
CALLED(clEnqueueWaitForEvents, (cl_command_queue queue, cl_uint n_waits, const cl_event *waits),
       (queue, n_waits, waits), NULL, .n_waits = n_waits, .waits = waits, .orders = true)

/* What is mapped is the result, and the code goes where the caller wants it. */
#define MAP(name, params, args, flags, ...)                                                        \
    static void *CL_API_CALL name##_seen params {                                                  \
        struct command seen = {.call = #name, .queue = queue, .n_waits = n_waits, .waits = waits,  \
                               .blocking = blocks, __VA_ARGS__};                                   \
        cl_int code = command_begin(&seen);                                                        \
        void *mapped = NULL;                                                                       \
        if (code == CL_SUCCESS) {                                                                  \
            note_map(seen.reads[0], flags);                                                        \
            mapped = next_layer->name args;                                                        \
            command_end(&seen, code, event);                                                       \
        }                                                                                          \
        if (code_out != NULL) *code_out = code;                                                    \
        return mapped;                                                                             \
    }

MAP(clEnqueueMapBuffer,
    (cl_command_queue queue, cl_mem buffer, cl_bool blocks, cl_map_flags flags, size_t at,
     size_t bytes, WAITS, cl_int *code_out),
    (queue, buffer, blocks, flags, at, bytes, WAITS_IN, &code), flags,
    .reads = {buffer}, .read = {at, bytes})
MAP(clEnqueueMapImage,
    (cl_command_queue queue, cl_mem image, cl_bool blocks, cl_map_flags flags, const size_t *at,
     const size_t *region, size_t *row, size_t *slice, WAITS, cl_int *code_out),
    (queue, image, blocks, flags, at, region, row, slice, WAITS_IN, &code), flags,
    .reads = {image})
/* clang-format on */

static cl_int CL_API_CALL clEnqueueNativeKernel_seen(cl_command_queue queue,
                                                     void(CL_CALLBACK *call)(void *),
                                                     void *arguments, size_t bytes, cl_uint n,
                                                     const cl_mem *buffers, const void **places,
                                                     WAITS) {
    struct command seen = {.call = "clEnqueueNativeKernel",
                           .queue = queue,
                           .n_waits = n_waits,
                           .waits = waits,
                           .n_others = n,
                           .others = buffers,
                           .may_read = true};
    for (cl_uint i = 0; buffers != NULL && i < n && i < MOST_ARGUMENTS; i++)
        seen.reads[i] = seen.writes[i] = buffers[i];
    ADI_TRY(command_begin(&seen));
    return command_end(&seen,
                       next_layer->clEnqueueNativeKernel(queue, call, arguments, bytes, n, buffers,
                                                         places, WAITS_IN),
                       event);
}

static cl_int CL_API_CALL clEnqueueSVMFree_seen(cl_command_queue queue, cl_uint n, void **at,
                                                void(CL_CALLBACK *call)(cl_command_queue, cl_uint,
                                                                        void **, void *),
                                                void *context, WAITS) {
    struct command seen = {
        .call = "clEnqueueSVMFree", .queue = queue, .n_waits = n_waits, .waits = waits};
    ADI_TRY(command_begin(&seen));
    for (cl_uint i = 0; at != NULL && i < n; i++)
        if (!object_may_release(seen.call, at[i])) return CL_INVALID_VALUE;
    return command_end(&seen, next_layer->clEnqueueSVMFree(queue, n, at, call, context, WAITS_IN),
                       event);
}

/* false also where it is not known. */
static bool is_constant(cl_kernel kernel, cl_uint index) {
    cl_kernel_arg_type_qualifier qualifier = CL_KERNEL_ARG_TYPE_NONE;
    return next_layer->clGetKernelArgInfo != NULL &&
           next_layer->clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER,
                                          sizeof qualifier, &qualifier, NULL) == CL_SUCCESS &&
           (qualifier & CL_KERNEL_ARG_TYPE_CONST) != 0;
}

void kernel_takes(cl_kernel kernel, cl_uint index, cl_mem buffer) {
    bool constant = buffer != NULL && is_constant(kernel, index);
    objects_lock();
    const struct object *argument = objects_find(buffer);
    bool is_buffer = argument != NULL &&
                     (argument->kind == ADI_OPENCL_MEMORY || argument->kind == ADI_OPENCL_SHARED);
    struct object *object = objects_find(kernel);
    if (object == NULL) object = objects_add(kernel, ADI_OPENCL_KERNEL, "clCreateKernel");
    if (object != NULL && index < MOST_ARGUMENTS)
        object->arguments[index] = is_buffer ? buffer : NULL;
    if (object != NULL && index < MOST_ARGUMENTS) object->constant[index] = constant;
    objects_unlock();
}

static cl_int CL_API_CALL clSetKernelArg_seen(cl_kernel kernel, cl_uint index, size_t bytes,
                                              const void *value) {
    cl_mem buffer = NULL;
    if (bytes == sizeof buffer && value != NULL) memcpy(&buffer, value, sizeof buffer);
    kernel_takes(kernel, index, buffer);
    return next_layer->clSetKernelArg(kernel, index, bytes, value);
}

static cl_int CL_API_CALL clSetKernelArgSVMPointer_seen(cl_kernel kernel, cl_uint index,
                                                        const void *value) {
    kernel_takes(kernel, index, shared_at(value));
    return next_layer->clSetKernelArgSVMPointer(kernel, index, value);
}

/* clang-format off */
#define COMMANDS(F)                                                                                \
    F(clEnqueueReadBuffer) F(clEnqueueWriteBuffer) F(clEnqueueReadBufferRect)                      \
    F(clEnqueueWriteBufferRect) F(clEnqueueFillBuffer) F(clEnqueueCopyBuffer)                      \
    F(clEnqueueCopyBufferRect) F(clEnqueueUnmapMemObject) F(clEnqueueMapBuffer)                    \
    F(clEnqueueMarker) F(clEnqueueBarrier) F(clEnqueueMarkerWithWaitList)                          \
    F(clEnqueueBarrierWithWaitList)                                                                \
    F(clEnqueueWaitForEvents) F(clEnqueueSVMMemcpy) F(clEnqueueSVMMap) F(clEnqueueSVMMemFill)      \
    F(clEnqueueSVMUnmap) F(clEnqueueSVMMigrateMem) F(clEnqueueSVMFree) F(clEnqueueReadImage)       \
    F(clEnqueueWriteImage) F(clEnqueueCopyImage) F(clEnqueueCopyImageToBuffer)                     \
    F(clEnqueueCopyBufferToImage) F(clEnqueueFillImage) F(clEnqueueMapImage)                       \
    F(clEnqueueMigrateMemObjects) F(clEnqueueNativeKernel) F(clEnqueueNDRangeKernel)               \
    F(clEnqueueTask) F(clSetKernelArg) F(clSetKernelArgSVMPointer)
/* clang-format on */

void commands_put(cl_icd_dispatch *seen) {
#define PUT(name)                                                                                  \
    if (next_layer->name != NULL) seen->name = name##_seen;
    COMMANDS(PUT)
#undef PUT
}
