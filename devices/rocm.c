/* SPDX-License-Identifier: Apache-2.0
 *
 * ROCm by the HIP runtime: memory of a device, and pinned memory, are two types of device. A buffer
 * value is the pointer, sync_event a hipEvent_t *. The device is the thread's current one only
 * while this code runs.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devices.h"
#include "environment.h"
#include "host.h"
#include "rocm_internal.h"
#include "sim_engine.h"

#define WAIT_MS 2000 /* for an event of somebody else's, unless ADI_WAIT_MS says otherwise */

/* ---- the device ---- */

static void probe(struct adi_device_probe *out, int most) {
    *out = (struct adi_device_probe){.runtime = "simulated"};
    const struct adi_rocm_api *api = adi_rocm_api(&out->why);
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

static int open_stream(const struct adi_rocm *rocm, adi_hip_stream *out, struct adi_error *error) {
    int before;
    ADI_TRY(adi_rocm_enter(rocm, rocm->ordinal, &before, error));
    int code = HIP_CALL(rocm->api, error, StreamCreateWithFlags, out, ADI_HIP_NON_BLOCKING);
    return adi_rocm_leave(rocm, rocm->ordinal, before, code);
}

static int open_memory(int64_t id, const struct adi_device_ops *ops, bool is_pinned,
                       struct adi_device *out, struct adi_error *error) {
    const struct adi_rocm_api *api = adi_rocm_api(error);
    if (api == NULL) return ENODEV;
    if (id < 0 || id >= api->count)
        return adi_error_set(error, ENODEV, "there is no %s:%" PRId64 ", only 0 to %d", ops->name,
                             id, api->count - 1);
    struct adi_rocm *rocm = malloc(sizeof *rocm);
    if (rocm == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    *rocm = (struct adi_rocm){.api = api, .is_pinned = is_pinned, .ordinal = (int)id};
    int code = open_stream(rocm, &rocm->stream, error);
    if (code != 0) {
        free(rocm);
        return code;
    }
    adi_made_begin(&rocm->buffers);
    *out = (struct adi_device){ops, id, rocm};
    return 0;
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    return open_memory(id, &adi_device_rocm, false, out, error);
}

static int open_pinned(int64_t id, struct adi_device *out, struct adi_error *error) {
    return open_memory(id, &adi_device_rocm_host, true, out, error);
}

static void close_device(struct adi_device *device) {
    struct adi_rocm *rocm = device->state;
    rocm->api->StreamDestroy(rocm->stream);
    adi_made_end(&rocm->buffers);
    free(rocm);
}

/* ---- events ---- */

/* The default streams are those of the current device. */
static bool is_default(adi_hip_stream stream) {
    return (uintptr_t)stream <= ADI_HIP_PER_THREAD;
}

static int device_of(const struct adi_rocm *rocm, adi_hip_stream stream, int *device,
                     struct adi_error *error) {
    *device = rocm->ordinal;
    if (stream == rocm->stream || is_default(stream)) return 0;
    return HIP_CALL(rocm->api, error, StreamGetDevice, stream, device);
}

/* An event is recorded on streams of its own device only, and a stream that somebody else names may
 * be of another one. */
static int make_event(const struct adi_rocm *rocm, adi_hip_stream stream, adi_hip_event *event,
                      struct adi_error *error) {
    const struct adi_rocm_api *api = rocm->api;
    int before, device;
    ADI_TRY(device_of(rocm, stream, &device, error));
    ADI_TRY(adi_rocm_enter(rocm, device, &before, error));
    int code = HIP_CALL(api, error, EventCreateWithFlags, event, ADI_HIP_DISABLE_TIMING);
    if (code == 0) {
        code = HIP_CALL(api, error, EventRecord, *event, stream);
        if (code != 0) api->EventDestroy(*event);
    }
    return adi_rocm_leave(rocm, device, before, code);
}

static int record_on(struct adi_device *device, void *queue, void **sync_event,
                     struct adi_error *error) {
    adi_hip_event *event = malloc(sizeof *event);
    if (event == NULL) return adi_error_set(error, ENOMEM, "no memory for an event");
    int code = make_event(device->state, queue, event, error);
    if (code == 0)
        *sync_event = event;
    else
        free(event);
    return code;
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    struct adi_rocm *rocm = device->state;
    ADI_TRY(record_on(device, rocm->stream, sync_event, error));
    adi_made_keep_event(&rocm->known, *sync_event);
    return 0;
}

static int record_again(struct adi_device *device, void *sync_event, struct adi_error *error) {
    const struct adi_rocm *rocm = device->state;
    return HIP_CALL(rocm->api, error, EventRecord, *(adi_hip_event *)sync_event, rocm->stream);
}

/* Whatever somebody else hands out as one; what is the device's own need not be felt for. */
static int handle_of(const void *sync_event, bool is_own, adi_hip_event *out,
                     struct adi_error *error) {
    if (is_own)
        *out = *(const adi_hip_event *)sync_event;
    else if (adi_host_read(sync_event, 0, out, sizeof *out, NULL) != 0)
        *out = NULL;
    return *out != NULL ? 0
                        : adi_error_set(error, EINVAL, "sync_event does not point to a hipEvent_t");
}

static int wait_on(struct adi_device *device, void *queue, void *sync_event,
                   struct adi_error *error) {
    struct adi_rocm *rocm = device->state;
    adi_hip_event awaited;
    int before = rocm->ordinal;
    if (sync_event == NULL) return 0;
    bool is_own = adi_made_has_event(&rocm->known, sync_event);
    ADI_TRY(handle_of(sync_event, is_own, &awaited, error));
    if (queue == rocm->stream && !is_own) atomic_fetch_add(&rocm->known.waits, 1);
    if (is_default(queue)) ADI_TRY(adi_rocm_enter(rocm, rocm->ordinal, &before, error));
    return adi_rocm_leave(rocm, rocm->ordinal, before,
                          HIP_CALL(rocm->api, error, StreamWaitEvent, queue, awaited, 0));
}

static int wait_queued(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return wait_on(device, ((struct adi_rocm *)device->state)->stream, sync_event, error);
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* An event that never completes must not keep us for ever, so it is asked over and over. */
static int settle(const struct adi_rocm *rocm, adi_hip_event awaited, struct adi_error *error) {
    const int64_t limit = adi_setting_wait_ms(WAIT_MS), end = now_ms() + limit;
    int result;
    while ((result = rocm->api->EventQuery(awaited)) == ADI_HIP_NOT_READY && now_ms() < end)
        if (!rocm->api->is_simulated) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    if (result == ADI_HIP_NOT_READY)
        return adi_error_set(error, ETIMEDOUT, "the event was not complete after %" PRId64 " ms",
                             limit);
    return adi_rocm_check(result, "hipEventQuery", error);
}

/* One behind nothing but work of the device's own completes. */
static int wait_host(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_rocm *rocm = device->state;
    adi_hip_event awaited;
    if (sync_event == NULL) return 0;
    bool is_own = adi_made_has_event(&rocm->known, sync_event);
    ADI_TRY(handle_of(sync_event, is_own, &awaited, error));
    return adi_made_is_sure(&rocm->known, sync_event)
               ? HIP_CALL(rocm->api, error, EventSynchronize, awaited)
               : settle(rocm, awaited, error);
}

static void event_free(struct adi_device *device, void *sync_event) {
    struct adi_rocm *rocm = device->state;
    adi_made_drop_event(&rocm->known, sync_event);
    rocm->api->EventDestroy(*(adi_hip_event *)sync_event);
    free(sync_event);
}

/* ---- streams, and the current device ---- */

static int queue_open(struct adi_device *device, void **queue, struct adi_error *error) {
    adi_hip_stream made;
    ADI_TRY(open_stream(device->state, &made, error));
    *queue = made;
    return 0;
}

static void queue_close(struct adi_device *device, void *queue) {
    const struct adi_rocm *rocm = device->state;
    rocm->api->StreamDestroy(queue);
}

static void push_context(struct adi_device *device, void **before) {
    const struct adi_rocm *rocm = device->state;
    int current = rocm->ordinal;
    rocm->api->GetDevice(&current);
    if (current != rocm->ordinal) rocm->api->SetDevice(rocm->ordinal);
    *before = (void *)(intptr_t)current;
}

static bool restore_context(struct adi_device *device, void *before) {
    const struct adi_rocm *rocm = device->state;
    int current = -1;
    rocm->api->GetDevice(&current);
    return adi_rocm_leave(rocm, current, (int)(intptr_t)before, current == rocm->ordinal);
}

static const void *native_handle(struct adi_device *device, const char *what) {
    struct adi_rocm *rocm = device->state;
    if (strcmp(what, "rocm.library") == 0) return rocm->api->path;
    if (strcmp(what, "rocm.stream") != 0) return NULL;
    rocm->known.is_lent = true;
    return rocm->stream;
}

/* A real runtime is not looked over the shoulder. */
static const struct adi_interceptor *interceptor(void) {
    const struct adi_rocm_api *api = adi_rocm_api(NULL);
    if (api == NULL || !api->is_simulated) return NULL;
    return adi_sim_beneath(api->library, NULL) == NULL ? NULL : adi_sim_interceptor();
}

static void stand_in(void) {
    adi_rocm_api(NULL);
}

#define BACKEND(type_, name_, probe_, open_)                                                       \
    const struct adi_device_ops adi_device_##name_ = {                                             \
        .size = sizeof adi_device_##name_,                                                         \
        .type = type_,                                                                             \
        .name = #name_,                                                                            \
        .probe = probe_,                                                                           \
        .open = open_,                                                                             \
        .close = close_device,                                                                     \
        .alloc = adi_rocm_alloc,                                                                   \
        .free = adi_rocm_free,                                                                     \
        .write = adi_rocm_write,                                                                   \
        .read = adi_rocm_read,                                                                     \
        .event = event,                                                                            \
        .wait = wait_queued,                                                                       \
        .wait_host = wait_host,                                                                    \
        .event_free = event_free,                                                                  \
        .queue_open = queue_open,                                                                  \
        .queue_close = queue_close,                                                                \
        .record_on = record_on,                                                                    \
        .wait_on = wait_on,                                                                        \
        .accessible = adi_rocm_accessible,                                                         \
        .native_handle = native_handle,                                                            \
        .interceptor = interceptor,                                                                \
        .push_context = push_context,                                                              \
        .restore_context = restore_context,                                                        \
        .stand_in = stand_in,                                                                      \
        .record_again = record_again,                                                              \
        .alloc_visible = adi_rocm_alloc_visible,                                                   \
        .free_visible = adi_rocm_free_visible,                                                     \
        .pointer_attributes = adi_rocm_pointer_attributes,                                         \
    };

BACKEND(ARROW_DEVICE_ROCM, rocm, probe_devices, open_device)
BACKEND(ARROW_DEVICE_ROCM_HOST, rocm_host, probe_one, open_pinned)
