/* SPDX-License-Identifier: Apache-2.0
 *
 * The exported functions, compiled for each layout of the header; each is one call of the program
 * in the simulation's log.
 */
#include <string.h>

#include "webgpu.h"
#include "webgpu_abi.h"

#define SERVED ADI_SIM_PUBLIC

/* ---- what is told ---- */

#if WEBGPU_LAYOUT >= 24
#define TEXT(text) ((webgpu_text){(text), strlen(text)})
#else
#define TEXT(text) (text)
#endif

/* By the kind of what is told. */
static int status_of(const struct webgpu_news *news) {
    static const int failed[] = {[WEBGPU_TELLS_ADAPTER] = BY_LAYOUT(2, WEBGPU_LAYOUT >= 29 ? 4 : 4),
                                 [WEBGPU_TELLS_DEVICE] = BY_LAYOUT(1, 3),
                                 [WEBGPU_TELLS_MAP] = BY_LAYOUT(1, 3),
                                 [WEBGPU_TELLS_DONE] = BY_LAYOUT(1, 3),
                                 [WEBGPU_TELLS_POP] = BY_LAYOUT(0, 3)};
    if (news->status == WEBGPU_OK) return BY_LAYOUT(0, 1);
    return news->status == WEBGPU_ABORTED ? BY_LAYOUT(5, 4) : failed[news->tells];
}

static int type_of(enum webgpu_error error) {
    static const int types[] = {[WEBGPU_VALIDATION] = 1,
                                [WEBGPU_OUT_OF_MEMORY] = 2,
                                [WEBGPU_INTERNAL] = 3,
                                [WEBGPU_NO_ERROR] = 0};
    return types[error] + BY_LAYOUT(0, 1);
}

static void tell(const struct webgpu_news *news) {
    webgpu_function function = news->to.function;
    int status = status_of(news);
    WGPUDevice device = news->handle;
    (void)device;
    if (function == NULL) return;
    switch (news->tells) {
    case WEBGPU_TELLS_ADAPTER:
    case WEBGPU_TELLS_DEVICE:
        ((webgpu_on_handle *)function)(status, news->handle, TEXT(news->text), DATA_OF(news->to));
        break;
#if WEBGPU_LAYOUT >= 24
    case WEBGPU_TELLS_MAP:
        ((webgpu_on_map *)function)(status, TEXT(news->text), DATA_OF(news->to));
        break;
    case WEBGPU_TELLS_ERROR:
        ((webgpu_on_error *)function)(&device, type_of(news->error), TEXT(news->text),
                                      DATA_OF(news->to));
        break;
    case WEBGPU_TELLS_POP:
        ((webgpu_on_pop *)function)(status, type_of(news->error), TEXT(news->text),
                                    DATA_OF(news->to));
        break;
    case WEBGPU_TELLS_LOST:
        ((webgpu_on_lost *)function)(&device, LOST_UNKNOWN, TEXT(news->text), DATA_OF(news->to));
        break;
#else
    case WEBGPU_TELLS_MAP:
        ((webgpu_on_map *)function)(status, DATA_OF(news->to));
        break;
    case WEBGPU_TELLS_ERROR:
    case WEBGPU_TELLS_POP:
        ((webgpu_on_error *)function)(type_of(news->error), TEXT(news->text), DATA_OF(news->to));
        break;
    case WEBGPU_TELLS_LOST:
        ((webgpu_on_lost *)function)(LOST_UNKNOWN, TEXT(news->text), DATA_OF(news->to));
        break;
#endif
    case WEBGPU_TELLS_DONE:
#if WEBGPU_LAYOUT >= 29
        ((webgpu_on_done *)function)(status, TEXT(news->text), DATA_OF(news->to));
#else
        ((webgpu_on_done *)function)(status, DATA_OF(news->to));
#endif
        break;
    }
}

__attribute__((constructor)) static void say_how(void) {
    webgpu_tell = tell;
}

/* ---- instances, adapters, devices ---- */

/* Of a release that has the layout: a byte each of major, minor, patch and build. */
SERVED uint32_t wgpuGetVersion(void) {
    uint32_t rest = WEBGPU_LAYOUT == 22 ? 0x010005 : WEBGPU_LAYOUT == 24 ? 0x000301 : 0x000101;
    return (uint32_t)WEBGPU_LAYOUT << 24 | rest;
}

SERVED WGPUInstance wgpuCreateInstance(const void *descriptor) {
    (void)descriptor;
    return webgpu_instance_create(__func__);
}

SERVED size_t wgpuInstanceEnumerateAdapters(WGPUInstance instance, const void *options,
                                            WGPUAdapter *adapters) {
    void *found[WEBGPU_ADAPTERS];
    (void)options;
    size_t n = webgpu_adapters(__func__, instance, adapters == NULL ? NULL : found);
    for (size_t i = 0; adapters != NULL && i < n; i++) adapters[i] = found[i];
    return n;
}

SERVED FUTURE wgpuInstanceRequestAdapter(WGPUInstance instance, const void *options, CALLBACK) {
    (void)options;
    webgpu_request_adapter(__func__, instance, CALLBACK_GIVEN);
    ANSWER(0);
}

SERVED BY_LAYOUT(void, int)
    wgpuAdapterGetInfo(WGPUAdapter adapter, struct webgpu_adapter_info *info) {
    static const char *const names[] = {"adicheck simulated WebGPU adapter 0",
                                        "adicheck simulated WebGPU adapter 1"};
    int index = webgpu_adapter_index(__func__, adapter);
    void *next = info->next;
    *info = (struct webgpu_adapter_info){.next = next,
                                         .vendor = TEXT("adicheck"),
                                         .architecture = TEXT(""),
                                         .device = TEXT(names[index == 1]),
                                         .description = TEXT("simulated"),
                                         .backend = BACKEND_VULKAN,
                                         .type = ADAPTER_CPU};
#if WEBGPU_LAYOUT >= 24
    return index < 0 ? STATUS_SUCCESS + 1 : STATUS_SUCCESS;
#endif
}

/* In the oldest header they are a structure within that. */
struct webgpu_limits {
    void *next;
    struct {
#define LIMIT(type, name, value) type name;
#include "webgpu_limits.def"
#undef LIMIT
    } are;
};

static int give_limits(struct webgpu_limits *out) {
    void *next = out->next;
    *out = (struct webgpu_limits){next,
                                  {
#define LIMIT(type, name, value) .name = value,
#include "webgpu_limits.def"
#undef LIMIT
                                  }};
    return STATUS_SUCCESS;
}

SERVED int wgpuAdapterGetLimits(WGPUAdapter adapter, struct webgpu_limits *limits) {
    (void)adapter;
    return give_limits(limits);
}

SERVED int wgpuDeviceGetLimits(WGPUDevice device, struct webgpu_limits *limits) {
    (void)device;
    return give_limits(limits);
}

#if WEBGPU_LAYOUT >= 24
/* There are none beyond what is always there. */
struct webgpu_features {
    size_t n;
    const int *features;
};

SERVED void wgpuAdapterGetFeatures(WGPUAdapter adapter, struct webgpu_features *features) {
    (void)adapter;
    *features = (struct webgpu_features){0, NULL};
}

SERVED void wgpuDeviceGetFeatures(WGPUDevice device, struct webgpu_features *features) {
    (void)device;
    *features = (struct webgpu_features){0, NULL};
}

SERVED void wgpuSupportedFeaturesFreeMembers(struct webgpu_features features) {
    (void)features;
}
#endif

SERVED uint32_t wgpuAdapterHasFeature(WGPUAdapter adapter, int feature) {
    (void)adapter, (void)feature;
    return 0;
}

SERVED uint32_t wgpuDeviceHasFeature(WGPUDevice device, int feature) {
    (void)device, (void)feature;
    return 0;
}

/* What wgpu-native has to tell is in the simulation's log. */
SERVED void wgpuSetLogCallback(void (*callback)(void), void *data) {
    (void)callback, (void)data;
}

SERVED void wgpuSetLogLevel(int level) {
    (void)level;
}

SERVED void wgpuAdapterInfoFreeMembers(struct webgpu_adapter_info info) {
    (void)info; /* they are static */
}

SERVED FUTURE wgpuAdapterRequestDevice(WGPUAdapter adapter,
                                       const struct webgpu_device_descriptor *descriptor,
                                       CALLBACK) {
    struct webgpu_callback lost = {NULL, {NULL, NULL}}, uncaptured = lost;
    if (descriptor != NULL) {
        lost = LOST_OF(descriptor);
        uncaptured = CALLBACK_OF(descriptor->uncaptured);
    }
    webgpu_request_device(__func__, adapter, &lost, &uncaptured, CALLBACK_GIVEN);
    ANSWER(0);
}

SERVED WGPUQueue wgpuDeviceGetQueue(WGPUDevice device) {
    return webgpu_device_queue(__func__, device);
}

SERVED void wgpuDeviceDestroy(WGPUDevice device) {
    webgpu_device_destroy(__func__, device);
}

/* The filters count from the same number as the errors, less one where those begin at none. */
SERVED void wgpuDevicePushErrorScope(WGPUDevice device, int filter) {
    int error = filter - BY_LAYOUT(0, 1);
    webgpu_push_scope(__func__, device,
                      error == 1   ? WEBGPU_OUT_OF_MEMORY
                      : error == 2 ? WEBGPU_INTERNAL
                                   : WEBGPU_VALIDATION);
}

SERVED FUTURE wgpuDevicePopErrorScope(WGPUDevice device, CALLBACK) {
    webgpu_pop_scope(__func__, device, CALLBACK_GIVEN);
    ANSWER(0);
}

/* ---- buffers ---- */

SERVED WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device,
                                         const struct webgpu_buffer_descriptor *descriptor) {
    return webgpu_buffer_create(__func__, device, descriptor->usage, descriptor->size,
                                descriptor->mapped != 0);
}

SERVED void wgpuBufferDestroy(WGPUBuffer buffer) {
    webgpu_buffer_destroy(__func__, buffer);
}

SERVED uint64_t wgpuBufferGetSize(WGPUBuffer buffer) {
    return webgpu_buffer_size(__func__, buffer);
}

SERVED webgpu_flags wgpuBufferGetUsage(WGPUBuffer buffer) {
    return (webgpu_flags)webgpu_buffer_usage(__func__, buffer);
}

SERVED int wgpuBufferGetMapState(WGPUBuffer buffer) {
    return webgpu_buffer_map_state(__func__, buffer) + BY_LAYOUT(0, 1);
}

SERVED FUTURE wgpuBufferMapAsync(WGPUBuffer buffer, webgpu_flags mode, size_t offset, size_t size,
                                 CALLBACK) {
    uint64_t future = webgpu_buffer_map(__func__, buffer, (mode & 1) != 0, (mode & 2) != 0, offset,
                                        size, CALLBACK_GIVEN);
    ANSWER(future);
}

SERVED void *wgpuBufferGetMappedRange(WGPUBuffer buffer, size_t offset, size_t size) {
    return webgpu_buffer_range(__func__, buffer, offset, size);
}

SERVED const void *wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size) {
    return webgpu_buffer_range(__func__, buffer, offset, size);
}

SERVED void wgpuBufferUnmap(WGPUBuffer buffer) {
    webgpu_buffer_unmap(__func__, buffer);
}

/* ---- commands ---- */

SERVED WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice device,
                                                         const void *descriptor) {
    (void)descriptor;
    return webgpu_encoder_create(__func__, device);
}

SERVED void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder encoder, WGPUBuffer from,
                                                 uint64_t from_offset, WGPUBuffer to,
                                                 uint64_t to_offset, uint64_t size) {
    webgpu_encode_copy(__func__, encoder, from, from_offset, to, to_offset, size);
}

SERVED void wgpuCommandEncoderClearBuffer(WGPUCommandEncoder encoder, WGPUBuffer buffer,
                                          uint64_t offset, uint64_t size) {
    webgpu_encode_clear(__func__, encoder, buffer, offset, size);
}

SERVED WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder encoder,
                                                  const void *descriptor) {
    (void)descriptor;
    return webgpu_encoder_finish(__func__, encoder);
}

SERVED void wgpuQueueSubmit(WGPUQueue queue, size_t n, WGPUCommandBuffer const *commands) {
    webgpu_queue_submit(__func__, queue, n, (void *const *)commands);
}

SERVED void wgpuQueueWriteBuffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t offset,
                                 const void *data, size_t size) {
    webgpu_queue_write(__func__, queue, buffer, offset, data, size);
}

/* ---- waiting ---- */

SERVED FUTURE wgpuQueueOnSubmittedWorkDone(WGPUQueue queue, CALLBACK) {
    uint64_t future = webgpu_queue_done(__func__, queue, CALLBACK_GIVEN);
    ANSWER(future);
}

SERVED void wgpuInstanceProcessEvents(WGPUInstance instance) {
    (void)instance;
    webgpu_poll(__func__, NULL, false);
}

SERVED uint32_t wgpuDevicePoll(WGPUDevice device, uint32_t wait, const void *submission) {
    (void)submission;
    return webgpu_poll(__func__, device, wait != 0);
}

#if WEBGPU_LAYOUT >= 24
/* A time to wait is time enough: nothing here takes any. */
SERVED int wgpuInstanceWaitAny(WGPUInstance instance, size_t n, struct webgpu_wait_info *infos,
                               uint64_t nanoseconds) {
    bool any = n == 0;
    (void)instance;
    if (n > 0 && infos == NULL) return WAIT_ERROR;
    for (size_t i = 0; i < n; i++) {
        bool over = webgpu_wait_for(__func__, infos[i].future.id, nanoseconds > 0 && !any);
        infos[i].completed = over;
        any = any || over;
    }
    return any ? WAIT_SUCCESS : WAIT_TIMED_OUT;
}
#define ADD_REF(name) wgpu##name##AddRef
#else
#define ADD_REF(name) wgpu##name##Reference
#endif

/* ---- references ---- */

#define COUNTED(name, kind)                                                                        \
    SERVED void ADD_REF(name)(WGPU##name object);                                                  \
    SERVED void ADD_REF(name)(WGPU##name object) {                                                 \
        webgpu_add_ref(__func__, kind, object);                                                    \
    }                                                                                              \
    SERVED void wgpu##name##Release(WGPU##name object) {                                           \
        webgpu_release(__func__, kind, object);                                                    \
    }

COUNTED(Instance, WEBGPU_INSTANCE)
COUNTED(Adapter, WEBGPU_ADAPTER)
COUNTED(Device, WEBGPU_DEVICE)
COUNTED(Queue, WEBGPU_QUEUE)
COUNTED(Buffer, WEBGPU_BUFFER)
COUNTED(CommandEncoder, WEBGPU_ENCODER)
COUNTED(CommandBuffer, WEBGPU_COMMANDS)

/* ---- for the harness ---- */

/* Is it the handle of a live buffer? Of which device and which adapter, and of how many bytes? */
SERVED bool adi_webgpu_look(const void *value, void **device, int *adapter, uint64_t *bytes);
SERVED bool adi_webgpu_look(const void *value, void **device, int *adapter, uint64_t *bytes) {
    return webgpu_ask(value, device, adapter, bytes, NULL);
}

/* Does the buffer live only because somebody else than its maker holds a reference? */
SERVED bool adi_webgpu_given_up(const void *buffer);
SERVED bool adi_webgpu_given_up(const void *buffer) {
    bool given_up;
    return webgpu_ask(buffer, NULL, NULL, NULL, &given_up) && given_up;
}
