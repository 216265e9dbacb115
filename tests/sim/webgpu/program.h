/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs call of wgpu-native, in the layout that they are compiled for.
 */
#ifndef WEBGPU_PROGRAM_H
#define WEBGPU_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "webgpu_abi.h"

uint32_t wgpuGetVersion(void);
WGPUInstance wgpuCreateInstance(const void *descriptor);
size_t wgpuInstanceEnumerateAdapters(WGPUInstance, const void *options, WGPUAdapter *adapters);
void wgpuInstanceProcessEvents(WGPUInstance);
void wgpuInstanceRelease(WGPUInstance);
FUTURE wgpuAdapterRequestDevice(WGPUAdapter, const struct webgpu_device_descriptor *, CALLBACK);
void wgpuAdapterRelease(WGPUAdapter);
WGPUQueue wgpuDeviceGetQueue(WGPUDevice);
WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice, const struct webgpu_buffer_descriptor *);
WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice, const void *descriptor);
uint32_t wgpuDevicePoll(WGPUDevice, uint32_t wait, const void *submission);
void wgpuDevicePushErrorScope(WGPUDevice, int filter);
FUTURE wgpuDevicePopErrorScope(WGPUDevice, CALLBACK);
void wgpuDeviceRelease(WGPUDevice);
void wgpuQueueWriteBuffer(WGPUQueue, WGPUBuffer, uint64_t offset, const void *from, size_t bytes);
void wgpuQueueSubmit(WGPUQueue, size_t n, WGPUCommandBuffer const *commands);
FUTURE wgpuQueueOnSubmittedWorkDone(WGPUQueue, CALLBACK);
void wgpuQueueRelease(WGPUQueue);
void wgpuBufferDestroy(WGPUBuffer);
void wgpuBufferRelease(WGPUBuffer);
int wgpuBufferGetMapState(WGPUBuffer);
FUTURE wgpuBufferMapAsync(WGPUBuffer, webgpu_flags mode, size_t offset, size_t bytes, CALLBACK);
void *wgpuBufferGetMappedRange(WGPUBuffer, size_t offset, size_t bytes);
const void *wgpuBufferGetConstMappedRange(WGPUBuffer, size_t offset, size_t bytes);
void wgpuBufferUnmap(WGPUBuffer);
void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder, WGPUBuffer from, uint64_t from_offset,
                                          WGPUBuffer to, uint64_t to_offset, uint64_t bytes);
void wgpuCommandEncoderClearBuffer(WGPUCommandEncoder, WGPUBuffer, uint64_t offset, uint64_t bytes);
WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder, const void *descriptor);
void wgpuCommandEncoderRelease(WGPUCommandEncoder);
void wgpuCommandBufferRelease(WGPUCommandBuffer);
void *wgpuDeviceCreateShaderModule(WGPUDevice, const void *descriptor);

enum {
    MAP_READ = 1,
    MAP_WRITE = 2,
    COPY_SRC = 4,
    COPY_DST = 8,
    GOOD = BY_LAYOUT(0, 1), /* a status */
    VALIDATION = BY_LAYOUT(1, 2),
};

/* What a callback is given and what it says; -1: it has not come. */
struct said {
    int status, type;
    void *handle;
};

#if WEBGPU_LAYOUT >= 24
#define ASKING(function, said) ((webgpu_info){NULL, 3, (webgpu_function)function, {said, NULL}})
#define SECOND                 , void *unused
#define IGNORES_SECOND         (void)unused
#else
#define ASKING(function, said) (webgpu_function) function, said
#define SECOND
#define IGNORES_SECOND (void)0
#endif

static inline void on_handle(int status, void *handle, webgpu_text message, void *data SECOND) {
    (void)message, IGNORES_SECOND;
    *(struct said *)data = (struct said){status, -1, handle};
}

#if WEBGPU_LAYOUT >= 24
static inline void on_map(int status, webgpu_text message, void *data SECOND) {
    (void)message, IGNORES_SECOND;
    ((struct said *)data)->status = status;
}
static inline void on_error(WGPUDevice const *device, int type, webgpu_text message,
                            void *data SECOND) {
    (void)device, (void)message, IGNORES_SECOND;
    ((struct said *)data)->type = type;
}
static inline void on_pop(int status, int type, webgpu_text message, void *data SECOND) {
    (void)message, IGNORES_SECOND;
    *(struct said *)data = (struct said){status, type, NULL};
}
#else
static inline void on_map(int status, void *data) {
    ((struct said *)data)->status = status;
}
static inline void on_error(int type, webgpu_text message, void *data) {
    (void)message;
    ((struct said *)data)->type = type;
}
static inline void on_pop(int type, webgpu_text message, void *data) {
    (void)message;
    *(struct said *)data = (struct said){GOOD, type, NULL};
}
#endif
#if WEBGPU_LAYOUT >= 29
#define on_done on_map
#else
static inline void on_done(int status, void *data SECOND) {
    IGNORES_SECOND;
    ((struct said *)data)->status = status;
}
#endif

static inline WGPUDevice open_device(WGPUAdapter adapter, struct said *uncaptured) {
    struct said said = {-1, -1, NULL};
    struct webgpu_device_descriptor descriptor = {.n_features = 0};
    descriptor.uncaptured.function = (webgpu_function)on_error;
#if WEBGPU_LAYOUT >= 24
    descriptor.uncaptured.data[0] = uncaptured;
#else
    descriptor.uncaptured.data = uncaptured;
#endif
    wgpuAdapterRequestDevice(adapter, &descriptor, ASKING(on_handle, &said));
    return said.status == GOOD ? said.handle : NULL;
}

static inline WGPUBuffer make_buffer(WGPUDevice device, webgpu_flags usage, uint64_t bytes,
                                     bool mapped) {
    const struct webgpu_buffer_descriptor wish = {.usage = usage, .size = bytes, .mapped = mapped};
    return wgpuDeviceCreateBuffer(device, &wish);
}

static inline void copy(WGPUDevice device, WGPUQueue queue, WGPUBuffer from, uint64_t from_offset,
                        WGPUBuffer to, uint64_t bytes) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, from, from_offset, to, 0, bytes);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

#endif /* WEBGPU_PROGRAM_H */
