/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "rocm.h"

bool base_stays;

static enum base_memory memory_of_buffers;
static int before;

void base_is_for_host(void) {
    base.right = base.ops = adi_device_rocm_host;
}

hipStream_t base_stream(struct adi_device *device) {
    return (hipStream_t)(uintptr_t)base.right.native_handle(device, "rocm.stream");
}

char *base_staging(void) {
    static void *staging;
    if (staging == NULL) HIP(hipHostMalloc)(&staging, 1 << 20, 0);
    return staging;
}

/* ---- memory of another kind ---- */

static int alloc_other(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    hipError_t code;
    HIP(hipSetDevice)((int)device->id);
    if (memory_of_buffers == PINNED)
        code = HIP(hipHostMalloc)(buffer, (size_t)bytes, 0);
    else if (memory_of_buffers == MANAGED)
        code = HIP(hipMallocManaged)(buffer, (size_t)bytes, hipMemAttachGlobal);
    else
        code = HIP(hipMalloc)(buffer, (size_t)bytes);
    return code == hipSuccess ? 0 : adi_error_set(error, ENOMEM, "no memory for a buffer");
}

static void free_other(struct adi_device *device, void *buffer) {
    HIP(hipStreamSynchronize)(base_stream(device));
    if (memory_of_buffers == PINNED)
        HIP(hipHostFree)(buffer);
    else
        HIP(hipFree)(buffer);
}

static int copy_on(hipStream_t stream, void *to, const void *from, int64_t bytes) {
    return HIP(hipMemcpyAsync)(to, from, (size_t)bytes, hipMemcpyDefault, stream) == 0 ? 0 : EIO;
}

static int write_other(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    (void)error;
    return copy_on(base_stream(device), base_at(buffer, offset), from, bytes);
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
    HIP(hipEventQuery)(handle);
}

void base_event_destroy(struct adi_device *device, void *handle) {
    (void)device;
    HIP(hipEventDestroy)(handle);
}

/* ---- on two queues ---- */

int base_write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    static unsigned writes;
    if (++writes % 2 == 0) return base.right.write(device, buffer, offset, from, bytes, error);
    return copy_on(base_second_queue(device), base_at(buffer, offset), from, bytes);
}

/* ---- on the queue that the harness lends ---- */

static hipStream_t lent(struct adi_device *device) {
    return base_lent(device->id, "rocm.stream");
}

int base_read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)error;
    if (bytes == 0) return 0;
    copy_on(lent(device), to, base_at(buffer, offset), bytes);
    return HIP(hipStreamSynchronize)(lent(device)) == 0 ? 0 : EIO;
}

int base_wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    if (sync_event == NULL) return 0;
    return HIP(hipStreamWaitEvent)(lent(device), *(hipEvent_t *)sync_event, 0) == 0 ? 0 : EIO;
}

/* ---- the implementation ---- */

static void enter(struct adi_device *device) {
    HIP(hipGetDevice)(&before);
    HIP(hipSetDevice)((int)device->id);
}

static void leave(void) {
    if (!base_stays) HIP(hipSetDevice)(before);
}

const struct base_kind base_kind = {.name = "rocm base",
                                    .device = &adi_device_rocm,
                                    .library = "rocm.library",
                                    .enter = enter,
                                    .leave = leave};
