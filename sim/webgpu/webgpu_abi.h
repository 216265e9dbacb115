/* SPDX-License-Identifier: Apache-2.0
 *
 * What of webgpu.h and of wgpu-native's wgpu.h is served: layouts and numbers, of the header that a
 * major version of wgpu-native (WEBGPU_LAYOUT) came with. Nothing of theirs is needed to compile
 * this.
 *
 *   22  labels are strings that end in 0, flags have 32 bits, a callback has one datum
 *   24  (25 and 27, too) labels have a length, flags 64 bits; a callback comes in a structure, with
 *       its mode and two data, and what takes one returns a future
 *   29  the callback for finished work is told a message, too
 */
#ifndef SIM_WEBGPU_ABI_H
#define SIM_WEBGPU_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef struct webgpu_instance_of *WGPUInstance;
typedef struct webgpu_adapter_of *WGPUAdapter;
typedef struct webgpu_device_of *WGPUDevice;
typedef struct webgpu_queue_of *WGPUQueue;
typedef struct webgpu_buffer_of *WGPUBuffer;
typedef struct webgpu_encoder_of *WGPUCommandEncoder;
typedef struct webgpu_commands_of *WGPUCommandBuffer;

typedef void (*webgpu_function)(void);

#if WEBGPU_LAYOUT >= 24

#define BY_LAYOUT(of_22, since_24) since_24

typedef struct { /* WGPUStringView */
    const char *data;
    size_t length;
} webgpu_text;

typedef uint64_t webgpu_flags;

typedef struct { /* WGPU...CallbackInfo */
    const void *next;
    int mode;
    webgpu_function function;
    void *data[2];
} webgpu_info;

typedef struct {
    const void *next;
    webgpu_function function;
    void *data[2];
} webgpu_error_info;

typedef struct {
    uint64_t id;
} WGPUFuture;

struct webgpu_wait_info {
    WGPUFuture future;
    uint32_t completed;
};

struct webgpu_device_descriptor {
    const void *next;
    webgpu_text label;
    size_t n_features;
    const int *features;
    const void *limits;
    struct {
        const void *next;
        webgpu_text label;
    } queue;
    webgpu_info lost;
    webgpu_error_info uncaptured;
};

#define CALLBACK          webgpu_info info
#define CALLBACK_GIVEN    ((struct webgpu_callback){info.function, {info.data[0], info.data[1]}})
#define FUTURE            WGPUFuture
#define ANSWER(future)    return ((WGPUFuture){future})
#define DATA              void *, void *
#define DATA_OF(callback) (callback).data[0], (callback).data[1]
#define CALLBACK_OF(from)                                                                          \
    ((struct webgpu_callback){(from).function, {(from).data[0], (from).data[1]}})
#define LOST_OF(descriptor) CALLBACK_OF((descriptor)->lost)

#else

#define BY_LAYOUT(of_22, since_24) of_22

typedef const char *webgpu_text;
typedef uint32_t webgpu_flags;

typedef struct {
    const void *next;
    webgpu_function function;
    void *data;
} webgpu_error_info;

struct webgpu_device_descriptor {
    const void *next;
    webgpu_text label;
    size_t n_features;
    const int *features;
    const void *limits;
    struct {
        const void *next;
        webgpu_text label;
    } queue;
    webgpu_function lost;
    void *lost_data;
    webgpu_error_info uncaptured;
};

#define CALLBACK          webgpu_function function, void *data
#define CALLBACK_GIVEN    ((struct webgpu_callback){function, {data, NULL}})
#define FUTURE            void
#define ANSWER(future)    (void)(future)
#define DATA              void *
#define DATA_OF(callback) (callback).data[0]
#define CALLBACK_OF(from) ((struct webgpu_callback){(from).function, {(from).data, NULL}})
#define LOST_OF(descriptor)                                                                        \
    ((struct webgpu_callback){(descriptor)->lost, {(descriptor)->lost_data, NULL}})

#endif

struct webgpu_buffer_descriptor {
    const void *next;
    webgpu_text label;
    webgpu_flags usage;
    uint64_t size;
    uint32_t mapped;
};

struct webgpu_adapter_info {
    void *next;
    webgpu_text vendor, architecture, device, description;
    int backend, type;
    uint32_t vendor_id, device_id;
#if WEBGPU_LAYOUT >= 29
    uint32_t subgroup_least, subgroup_most;
#endif
};

typedef void webgpu_on_handle(int status, void *handle, webgpu_text message, DATA);
#if WEBGPU_LAYOUT >= 24
typedef void webgpu_on_map(int status, webgpu_text message, DATA);
typedef void webgpu_on_error(WGPUDevice const *device, int type, webgpu_text message, DATA);
typedef void webgpu_on_pop(int status, int type, webgpu_text message, DATA);
typedef void webgpu_on_lost(WGPUDevice const *device, int reason, webgpu_text message, DATA);
#else
typedef void webgpu_on_map(int status, DATA);
typedef void webgpu_on_error(int type, webgpu_text message, DATA); /* of a scope, too */
typedef void webgpu_on_lost(int reason, webgpu_text message, DATA);
#endif
#if WEBGPU_LAYOUT >= 29
typedef void webgpu_on_done(int status, webgpu_text message, DATA);
#else
typedef void webgpu_on_done(int status, DATA);
#endif

#define BACKEND_VULKAN 6 /* WGPUBackendType */
#define ADAPTER_CPU    BY_LAYOUT(2, 3)
#define LOST_UNKNOWN   1 /* WGPUDeviceLostReason */
#define STATUS_SUCCESS 1 /* WGPUStatus */
#define WAIT_SUCCESS   1 /* WGPUWaitStatus */
#define WAIT_TIMED_OUT 2
#define WAIT_ERROR     3

#endif /* SIM_WEBGPU_ABI_H */
