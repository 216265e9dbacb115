/* SPDX-License-Identifier: Apache-2.0
 *
 * The webgpu device, by the WGPUDevice that the harness hands out and the functions of webgpu.h, as
 * wgpu-native 29 has them.
 */
#ifndef WEBGPU_BASE_H
#define WEBGPU_BASE_H

#include "../device/device_base.h"

typedef void *WGPU;

/* A device of the adapter's. */
struct base_webgpu {
    WGPU device, queue, own_device; /* own_device: NULL unless it has made one */
};

static inline struct base_webgpu *base_on(const struct adi_device *device) {
    return device->state;
}

struct base_future {
    uint64_t id;
};

struct base_callback {
    const void *next;
    int mode;
    void (*call)(void);
    void *data[2];
};

struct base_buffer {
    const void *next;
    const char *label;
    size_t label_bytes;
    uint64_t usage, size;
    uint32_t mapped_at_creation;
};

enum {
    MAP_READ = 1,
    COPY_SRC = 4,
    COPY_DST = 8,
    STORAGE = 0x80,
};

#define FUNCTIONS(USE)                                                                             \
    USE(size_t, InstanceEnumerateAdapters, (WGPU instance, const void *options, WGPU *adapters))   \
    USE(void, InstanceProcessEvents, (WGPU instance))                                              \
    USE(struct base_future, AdapterRequestDevice,                                                  \
        (WGPU adapter, const void *descriptor, struct base_callback))                              \
    USE(void, AdapterRelease, (WGPU adapter))                                                      \
    USE(WGPU, DeviceGetQueue, (WGPU device))                                                       \
    USE(WGPU, DeviceCreateBuffer, (WGPU device, const struct base_buffer *))                       \
    USE(WGPU, DeviceCreateCommandEncoder, (WGPU device, const void *descriptor))                   \
    USE(uint32_t, DevicePoll, (WGPU device, uint32_t wait, const void *submission))                \
    USE(void, DeviceRelease, (WGPU device))                                                        \
    USE(void, QueueWriteBuffer,                                                                    \
        (WGPU queue, WGPU buffer, uint64_t offset, const void *from, size_t bytes))                \
    USE(void, QueueSubmit, (WGPU queue, size_t n, const WGPU *commands))                           \
    USE(struct base_future, QueueOnSubmittedWorkDone, (WGPU queue, struct base_callback))          \
    USE(void, QueueRelease, (WGPU queue))                                                          \
    USE(void, BufferAddRef, (WGPU buffer))                                                         \
    USE(void, BufferRelease, (WGPU buffer))                                                        \
    USE(void, BufferDestroy, (WGPU buffer))                                                        \
    USE(uint64_t, BufferGetSize, (WGPU buffer))                                                    \
    USE(struct base_future, BufferMapAsync,                                                        \
        (WGPU buffer, uint64_t mode, size_t offset, size_t bytes, struct base_callback))           \
    USE(void *, BufferGetMappedRange, (WGPU buffer, size_t offset, size_t bytes))                  \
    USE(const void *, BufferGetConstMappedRange, (WGPU buffer, size_t offset, size_t bytes))       \
    USE(void, BufferUnmap, (WGPU buffer))                                                          \
    USE(void, CommandEncoderCopyBufferToBuffer,                                                    \
        (WGPU encoder, WGPU from, uint64_t from_offset, WGPU to, uint64_t to_offset,               \
         uint64_t bytes))                                                                          \
    USE(WGPU, CommandEncoderFinish, (WGPU encoder, const void *descriptor))                        \
    USE(void, CommandEncoderRelease, (WGPU encoder))                                               \
    USE(void, CommandBufferRelease, (WGPU commands))

/* wgpu.BufferRelease(buffer) is wgpuBufferRelease; once a device is open. */
extern struct base_functions {
#define MEMBER(type, name, parameters) type(*name) parameters;
    FUNCTIONS(MEMBER)
#undef MEMBER
} wgpu;

WGPU base_instance(void);
/* `mutate` asks for it: buffers are of a WGPUDevice of the adapter's own, of the same hardware; has
 * it asked for the harness's? */
void base_has_its_own_device(bool asks);
/* Likewise: the device that the harness does not lend is opened, too. */
void base_opens_the_other_device(void);
/* In whole words. NULL: none. */
WGPU base_make_buffer(struct adi_device *device, uint64_t usage, int64_t bytes, bool mapped);
/* Submits a copy; whole words. */
void base_copy(struct adi_device *device, WGPU from, uint64_t from_offset, WGPU to,
               uint64_t to_offset, uint64_t bytes);
/* How `write` begins: it is queued, and nothing waits for it. */
int base_write_unwaited(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error);
/* Lets the queue come to its end; asks to be told of it, and no more. */
int base_finish(struct adi_device *device, struct adi_error *error);
void base_ask_when_done(struct adi_device *device, int *told);

#endif /* WEBGPU_BASE_H */
