/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA by its driver's interface: memory of a device, pinned and managed memory are three types of
 * device. A buffer value is the pointer, sync_event a CUevent * (which a cudaEvent_t * is, too).
 * The context is the device's primary one, which is current only while this code runs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_internal.h"
#include "devices.h"
#include "environment.h"
#include "host.h"
#include "sim_engine.h"

#define MOST_LEFT                                                                                  \
    16 /* contexts that somebody may leave on the stack, and that are taken off again */

#define WAIT_MS 2000 /* for an event of somebody else's, unless ADI_WAIT_MS says otherwise */

/* ---- the device ---- */

static void probe(struct adi_device_probe *out, int most) {
    *out = (struct adi_device_probe){.runtime = "simulated"};
    const struct adi_cuda_api *api = adi_cuda_api(&out->why);
    if (api == NULL) return;
    if (!api->is_simulated) out->runtime = "real";
    for (; out->count < api->count && out->count < most; out->count++)
        out->ids[out->count] = out->count;
}

/* Its id has a meaning. */
static void probe_devices(struct adi_device_probe *out) {
    probe(out, ADI_DEVICE_IDS);
}

static void probe_one(struct adi_device_probe *out) {
    probe(out, 1);
}

static int open_stream(struct adi_cuda *cuda, adi_cu_stream *out, struct adi_error *error) {
    ADI_TRY(adi_cuda_enter(cuda, error));
    return adi_cuda_leave(cuda, CU_CALL(cuda->api, error, StreamCreate, out, ADI_CU_NON_BLOCKING));
}

static int open_memory(int64_t id, const struct adi_device_ops *ops, enum adi_cuda_memory memory,
                       struct adi_device *out, struct adi_error *error) {
    const struct adi_cuda_api *api = adi_cuda_api(error);
    if (api == NULL) return ENODEV;
    if (id < 0 || id >= api->count)
        return adi_error_set(error, ENODEV, "there is no %s:%" PRId64 ", only 0 to %d", ops->name,
                             id, api->count - 1);
    struct adi_cuda *cuda = malloc(sizeof *cuda);
    if (cuda == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    *cuda = (struct adi_cuda){.api = api, .memory = memory, .ordinal = (int)id};
    int code = adi_cuda_check(api->PrimaryRetain(&cuda->context, cuda->ordinal),
                              "cuDevicePrimaryCtxRetain", error);
    if (code != 0) goto no_context;
    code = open_stream(cuda, &cuda->stream, error);
    if (code != 0) goto no_stream;
    adi_made_begin(&cuda->buffers);
    *out = (struct adi_device){ops, id, cuda};
    return 0;

no_stream:
    api->PrimaryRelease(cuda->ordinal);
no_context:
    free(cuda);
    return code;
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    return open_memory(id, &adi_device_cuda, ADI_CUDA_DEVICE, out, error);
}

static int open_pinned(int64_t id, struct adi_device *out, struct adi_error *error) {
    return open_memory(id, &adi_device_cuda_host, ADI_CUDA_PINNED, out, error);
}

static int open_managed(int64_t id, struct adi_device *out, struct adi_error *error) {
    return open_memory(id, &adi_device_cuda_managed, ADI_CUDA_MANAGED, out, error);
}

static void close_device(struct adi_device *device) {
    struct adi_cuda *cuda = device->state;
    if (adi_cuda_enter(cuda, NULL) == 0) {
        cuda->api->StreamDestroy(cuda->stream);
        adi_cuda_leave(cuda, 0);
    }
    cuda->api->PrimaryRelease(cuda->ordinal);
    adi_made_end(&cuda->buffers);
    free(cuda);
}

/* ---- events ---- */

/* An event is recorded on streams of its own context only, and a stream that somebody else names
 * may be of another one than the device's. */
static int create_event(const struct adi_cuda *cuda, adi_cu_stream stream, adi_cu_event *event,
                        struct adi_error *error) {
    const struct adi_cuda_api *api = cuda->api;
    adi_cu_context context;
    if (stream != cuda->stream) {
        ADI_TRY(CU_CALL(api, error, StreamGetCtx, stream, &context));
        ADI_TRY(adi_cuda_check(api->Push(context), "cuCtxPushCurrent", error));
    }
    int code = CU_CALL(api, error, EventCreate, event, ADI_CU_DISABLE_TIMING);
    if (stream != cuda->stream) api->Pop(&context);
    return code;
}

static int make_event(const struct adi_cuda *cuda, adi_cu_stream stream, adi_cu_event *event,
                      struct adi_error *error) {
    const struct adi_cuda_api *api = cuda->api;
    ADI_TRY(create_event(cuda, stream, event, error));
    int code = CU_CALL(api, error, EventRecord, *event, stream);
    if (code != 0) api->EventDestroy(*event);
    return code;
}

static int record_on(struct adi_device *device, void *queue, void **sync_event,
                     struct adi_error *error) {
    const struct adi_cuda *cuda = device->state;
    adi_cu_event *event = malloc(sizeof *event);
    if (event == NULL) return adi_error_set(error, ENOMEM, "no memory for an event");
    int code = adi_cuda_enter(cuda, error);
    if (code == 0) code = adi_cuda_leave(cuda, make_event(cuda, queue, event, error));
    if (code == 0)
        *sync_event = event;
    else
        free(event);
    return code;
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    struct adi_cuda *cuda = device->state;
    ADI_TRY(record_on(device, cuda->stream, sync_event, error));
    adi_made_keep_event(&cuda->known, *sync_event);
    return 0;
}

static int record_again(struct adi_device *device, void *sync_event, struct adi_error *error) {
    const struct adi_cuda *cuda = device->state;
    ADI_TRY(adi_cuda_enter(cuda, error));
    return adi_cuda_leave(
        cuda, CU_CALL(cuda->api, error, EventRecord, *(adi_cu_event *)sync_event, cuda->stream));
}

/* Whatever somebody else hands out as one; what is the device's own need not be felt for. */
static int handle_of(const void *sync_event, bool is_own, adi_cu_event *out,
                     struct adi_error *error) {
    if (is_own)
        *out = *(const adi_cu_event *)sync_event;
    else if (adi_host_read(sync_event, 0, out, sizeof *out, NULL) != 0)
        *out = NULL;
    return *out != NULL ? 0
                        : adi_error_set(error, EINVAL, "sync_event does not point to a CUevent");
}

static int wait_on(struct adi_device *device, void *queue, void *sync_event,
                   struct adi_error *error) {
    struct adi_cuda *cuda = device->state;
    adi_cu_event awaited;
    if (sync_event == NULL) return 0;
    bool is_own = adi_made_has_event(&cuda->known, sync_event);
    ADI_TRY(handle_of(sync_event, is_own, &awaited, error));
    ADI_TRY(adi_cuda_enter(cuda, error));
    if (queue == cuda->stream && !is_own) atomic_fetch_add(&cuda->known.waits, 1);
    return adi_cuda_leave(cuda, CU_CALL(cuda->api, error, StreamWaitEvent, queue, awaited, 0));
}

static int wait_queued(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return wait_on(device, ((struct adi_cuda *)device->state)->stream, sync_event, error);
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* An event that never completes must not keep us for ever, so it is asked over and over. */
static int settle(const struct adi_cuda *cuda, adi_cu_event awaited, struct adi_error *error) {
    const int64_t limit = adi_setting_wait_ms(WAIT_MS), end = now_ms() + limit;
    int result;
    while ((result = cuda->api->EventQuery(awaited)) == ADI_CU_NOT_READY && now_ms() < end)
        if (!cuda->api->is_simulated) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    if (result == ADI_CU_NOT_READY)
        return adi_error_set(error, ETIMEDOUT, "the event was not complete after %" PRId64 " ms",
                             limit);
    return adi_cuda_check(result, "cuEventQuery", error);
}

/* One behind nothing but work of the device's own completes. */
static int wait_host(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_cuda *cuda = device->state;
    adi_cu_event awaited;
    if (sync_event == NULL) return 0;
    bool is_own = adi_made_has_event(&cuda->known, sync_event);
    ADI_TRY(handle_of(sync_event, is_own, &awaited, error));
    ADI_TRY(adi_cuda_enter(cuda, error));
    int code = adi_made_is_sure(&cuda->known, sync_event)
                   ? CU_CALL(cuda->api, error, EventSynchronize, awaited)
                   : settle(cuda, awaited, error);
    return adi_cuda_leave(cuda, code);
}

static void event_free(struct adi_device *device, void *sync_event) {
    struct adi_cuda *cuda = device->state;
    adi_made_drop_event(&cuda->known, sync_event);
    if (adi_cuda_enter(cuda, NULL) == 0) {
        cuda->api->EventDestroy(*(adi_cu_event *)sync_event);
        adi_cuda_leave(cuda, 0);
    }
    free(sync_event);
}

/* ---- streams and contexts ---- */

static int queue_open(struct adi_device *device, void **queue, struct adi_error *error) {
    adi_cu_stream made;
    ADI_TRY(open_stream(device->state, &made, error));
    *queue = made;
    return 0;
}

static void queue_close(struct adi_device *device, void *queue) {
    const struct adi_cuda *cuda = device->state;
    if (adi_cuda_enter(cuda, NULL) != 0) return;
    cuda->api->StreamDestroy(queue);
    adi_cuda_leave(cuda, 0);
}

/* Below the device's own context lies what was current before. */
static void push_context(struct adi_device *device, void **before) {
    const struct adi_cuda *cuda = device->state;
    adi_cu_context current = NULL;
    cuda->api->GetCurrent(&current);
    cuda->api->Push(cuda->context);
    *before = current;
}

static bool restore_context(struct adi_device *device, void *before) {
    const struct adi_cuda *cuda = device->state;
    adi_cu_context top = NULL, below = NULL;
    cuda->api->Pop(&top);
    cuda->api->GetCurrent(&below);
    bool same = top == cuda->context && below == before;
    for (int i = 0; i < MOST_LEFT && below != before; i++) {
        if (cuda->api->Pop(&top) != ADI_CU_SUCCESS) break;
        below = NULL;
        cuda->api->GetCurrent(&below);
    }
    if (below != before) cuda->api->SetCurrent(before);
    return same;
}

static const void *native_handle(struct adi_device *device, const char *what) {
    struct adi_cuda *cuda = device->state;
    if (strcmp(what, "cuda.context") == 0) return cuda->context;
    if (strcmp(what, "cuda.library") == 0) return cuda->api->path;
    if (strcmp(what, "cuda.stream") != 0) return NULL;
    cuda->known.is_lent = true;
    return cuda->stream;
}

/* A real driver is not looked over the shoulder. */
static const struct adi_interceptor *interceptor(void) {
    const struct adi_cuda_api *api = adi_cuda_api(NULL);
    if (api == NULL || !api->is_simulated) return NULL;
    return adi_sim_beneath(api->library, NULL) == NULL ? NULL : adi_sim_interceptor();
}

static void stand_in(void) {
    adi_cuda_api(NULL);
}

#define BACKEND(type_, name_, probe_, open_)                                                       \
    const struct adi_device_ops adi_device_##name_ = {                                             \
        .size = sizeof adi_device_##name_,                                                         \
        .type = type_,                                                                             \
        .name = #name_,                                                                            \
        .probe = probe_,                                                                           \
        .open = open_,                                                                             \
        .close = close_device,                                                                     \
        .alloc = adi_cuda_alloc,                                                                   \
        .free = adi_cuda_free,                                                                     \
        .write = adi_cuda_write,                                                                   \
        .read = adi_cuda_read,                                                                     \
        .event = event,                                                                            \
        .wait = wait_queued,                                                                       \
        .wait_host = wait_host,                                                                    \
        .event_free = event_free,                                                                  \
        .queue_open = queue_open,                                                                  \
        .queue_close = queue_close,                                                                \
        .record_on = record_on,                                                                    \
        .wait_on = wait_on,                                                                        \
        .accessible = adi_cuda_accessible,                                                         \
        .native_handle = native_handle,                                                            \
        .interceptor = interceptor,                                                                \
        .push_context = push_context,                                                              \
        .restore_context = restore_context,                                                        \
        .stand_in = stand_in,                                                                      \
        .record_again = record_again,                                                              \
        .alloc_visible = adi_cuda_alloc_visible,                                                   \
        .free_visible = adi_cuda_free_visible,                                                     \
        .pointer_attributes = adi_cuda_pointer_attributes,                                         \
    };

BACKEND(ARROW_DEVICE_CUDA, cuda, probe_devices, open_device)
BACKEND(ARROW_DEVICE_CUDA_HOST, cuda_host, probe_one, open_pinned)
BACKEND(ARROW_DEVICE_CUDA_MANAGED, cuda_managed, probe_one, open_managed)
