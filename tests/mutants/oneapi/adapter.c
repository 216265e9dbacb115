/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "oneapi.h"

static enum base_memory memory_of_buffers;
static DPCTLSyclQueueRef unordered[ADI_DEVICE_IDS];

DPCTLSyclQueueRef base_queue(struct adi_device *device) {
    return (DPCTLSyclQueueRef)(uintptr_t)base.right.native_handle(device, "oneapi.queue");
}

DPCTLSyclQueueRef base_unordered(struct adi_device *device) {
    DPCTLSyclQueueRef *queue = &unordered[device->id];
    if (*queue != NULL) return *queue;
    DPCTLSyclDeviceRef sycl = SYCL(DPCTLQueue_GetDevice)(base_queue(device));
    *queue = SYCL(DPCTLQueue_CreateForDevice)(sycl, NULL, DPCTL_DEFAULT_PROPERTY);
    SYCL(DPCTLDevice_Delete)(sycl);
    return *queue;
}

/* A real runtime does not always get through its own end with a queue that is left. */
static void end(void) {
    for (size_t i = 0; i < ADI_DEVICE_IDS; i++) {
        if (unordered[i] == NULL) continue;
        SYCL(DPCTLQueue_Wait)(unordered[i]);
        SYCL(DPCTLQueue_Delete)(unordered[i]);
    }
}

static void begin(void) {
    base.ends = end;
}

void *base_lasting(const void *from, int64_t bytes) {
    static char room[1 << 24];
    static size_t used;
    if (bytes > 1 << 22) return NULL;
    if (used + (size_t)bytes > sizeof room) used = 0;
    char *at = memcpy(room + used, from, (size_t)bytes);
    used += (size_t)bytes;
    return at;
}

int base_copy_on(DPCTLSyclQueueRef queue, void *to, const void *from, int64_t bytes) {
    DPCTLSyclEventRef event = SYCL(DPCTLQueue_Memcpy)(queue, to, from, (size_t)bytes);
    if (event == NULL) return EIO;
    SYCL(DPCTLEvent_Delete)(event);
    return 0;
}

char *base_staging(struct adi_device *device) {
    static DPCTLSyclUSMRef staging;
    if (staging == NULL) staging = SYCL(DPCTLmalloc_host)(1 << 20, base_queue(device));
    return (char *)staging;
}

/* ---- memory of another kind ---- */

static int alloc_other(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    DPCTLSyclQueueRef queue = base_queue(device);
    if (memory_of_buffers == PINNED)
        *buffer = SYCL(DPCTLmalloc_host)((size_t)bytes, queue);
    else if (memory_of_buffers == MANAGED)
        *buffer = SYCL(DPCTLmalloc_shared)((size_t)bytes, queue);
    else
        *buffer = SYCL(DPCTLmalloc_device)((size_t)bytes, queue);
    return *buffer != NULL ? 0 : adi_error_set(error, ENOMEM, "no memory for a buffer");
}

static void free_other(struct adi_device *device, void *buffer) {
    SYCL(DPCTLQueue_Wait)(base_queue(device));
    SYCL(DPCTLfree_with_queue)(buffer, base_queue(device));
}

static int write_other(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                       int64_t bytes, struct adi_error *error) {
    (void)error;
    return base_copy_on(base_queue(device), base_at(buffer, offset), base_lasting(from, bytes),
                        bytes);
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
    SYCL(DPCTLEvent_GetCommandExecutionStatus)(handle);
}

void base_event_destroy(struct adi_device *device, void *handle) {
    (void)device;
    SYCL(DPCTLEvent_Delete)(handle);
}

/* ---- on two queues ---- */

int base_write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    static unsigned writes;
    if (++writes % 2 == 0) return write_other(device, buffer, offset, from, bytes, error);
    return base_copy_on(base_second_queue(device), base_at(buffer, offset),
                        base_lasting(from, bytes), bytes);
}

/* ---- on the queue that the harness lends ---- */

static DPCTLSyclQueueRef lent(struct adi_device *device) {
    return base_lent(device->id, "oneapi.queue");
}

int base_read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)error;
    if (bytes == 0) return 0;
    int code = base_copy_on(lent(device), to, base_at(buffer, offset), bytes);
    SYCL(DPCTLQueue_Wait)(lent(device));
    return code;
}

int base_wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return base.right.wait_on(device, lent(device), sync_event, error);
}

const struct base_kind base_kind = {.name = "oneapi base",
                                    .device = &adi_device_oneapi,
                                    .library = "oneapi.library",
                                    .begin = begin};
