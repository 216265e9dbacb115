/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "cuda.h"

bool base_stays;

static enum base_memory memory_of_buffers;

void base_is_for(const struct adi_device_ops *device) {
    base.right = base.ops = *device;
}

CUcontext base_context(struct adi_device *device) {
    return (CUcontext)(uintptr_t)base.right.native_handle(device, "cuda.context");
}

CUstream base_stream(struct adi_device *device) {
    return (CUstream)(uintptr_t)base.right.native_handle(device, "cuda.stream");
}

char *base_staging(void) {
    static void *staging;
    if (staging == NULL) CU(cuMemAllocHost_v2)(&staging, 1 << 20);
    return staging;
}

/* ---- memory of another kind ---- */

static int alloc_other(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    CUdeviceptr made = 0;
    CUresult code = CUDA_SUCCESS;
    (void)device;
    if (memory_of_buffers == PINNED)
        return CU(cuMemAllocHost_v2)(buffer, (size_t)bytes) == 0 ? 0 : ENOMEM;
    if (memory_of_buffers == MANAGED)
        code = CU(cuMemAllocManaged)(&made, (size_t)bytes, CU_MEM_ATTACH_GLOBAL);
    else
        code = CU(cuMemAlloc_v2)(&made, (size_t)bytes);
    *buffer = (void *)(uintptr_t)made;
    return code == CUDA_SUCCESS ? 0 : adi_error_set(error, ENOMEM, "no memory for a buffer");
}

/* Whoever releases need not have a context. */
static void free_other(struct adi_device *device, void *buffer) {
    CUcontext context = base_context(device);
    CU(cuCtxPushCurrent_v2)(context);
    CU(cuStreamSynchronize)(base_stream(device));
    if (memory_of_buffers == PINNED)
        CU(cuMemFreeHost)(buffer);
    else
        CU(cuMemFree_v2)(base_address(buffer));
    CU(cuCtxPopCurrent_v2)(&context);
}

static int write_other(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    (void)error;
    return CU(cuMemcpyAsync)(to, base_address(from), (size_t)bytes, base_stream(device)) == 0 ? 0
                                                                                              : EIO;
}

void base_allocates(enum base_memory memory) {
    memory_of_buffers = memory;
    base.ops.alloc = alloc_other;
    base.ops.free = free_other;
    base.ops.write = write_other;
}

/* ---- events ---- */

void base_event_query(struct adi_device *device, void *handle) {
    (void)device;
    CU(cuEventQuery)(handle);
}

void base_event_destroy(struct adi_device *device, void *handle) {
    (void)device;
    CU(cuEventDestroy_v2)(handle);
}

/* ---- on two queues ---- */

int base_write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    static unsigned writes;
    CUdeviceptr to = base_address(buffer) + (CUdeviceptr)offset;
    if (++writes % 2 == 0) return base.right.write(device, buffer, offset, from, bytes, error);
    return (int)CU(cuMemcpyHtoDAsync_v2)(to, from, (size_t)bytes, base_second_queue(device));
}

/* ---- on the queue that the harness lends ---- */

static CUstream lent(struct adi_device *device) {
    return base_lent(device->id, "cuda.stream");
}

int base_read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)error;
    if (bytes == 0) return 0;
    CUdeviceptr from = base_address(buffer) + (CUdeviceptr)offset;
    CU(cuMemcpyDtoHAsync_v2)(to, from, (size_t)bytes, lent(device));
    return CU(cuStreamSynchronize)(lent(device)) == 0 ? 0 : EIO;
}

int base_wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    if (sync_event == NULL) return 0;
    return CU(cuStreamWaitEvent)(lent(device), *(CUevent *)sync_event, 0) == 0 ? 0 : EIO;
}

/* ---- the implementation ---- */

static void enter(struct adi_device *device) {
    CU(cuCtxPushCurrent_v2)(base_context(device));
}

static void leave(void) {
    CUcontext context;
    if (!base_stays) CU(cuCtxPopCurrent_v2)(&context);
}

const struct base_kind base_kind = {.name = "cuda base",
                                    .device = &adi_device_cuda,
                                    .library = "cuda.library",
                                    .enter = enter,
                                    .leave = leave};
