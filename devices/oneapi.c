/* SPDX-License-Identifier: Apache-2.0
 *
 * oneAPI by SYCL, through dpctl's C interface to it: unified shared memory of a device, in the
 * context that SYCL makes for its platform. A buffer value is the pointer, sync_event a
 * `sycl::event *`, which is the reference itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devices.h"
#include "environment.h"
#include "oneapi_internal.h"
#include "sim_engine.h"

#define WAIT_MS 2000 /* for an event of somebody else's, unless ADI_WAIT_MS says otherwise */

/* ---- the device ---- */

static void probe(struct adi_device_probe *out) {
    *out = (struct adi_device_probe){.runtime = "simulated"};
    const struct adi_oneapi_api *api = adi_oneapi_api(&out->why);
    if (api == NULL) return;
    if (!api->is_simulated)
        out->runtime = "real";
    else
        adi_error_set(&out->why, 0,
                      "for callers of dpctl's C interface; SYCL in C++ needs a real runtime "
                      "(ADI_ONEAPI)");
    for (; out->count < api->count; out->count++) out->ids[out->count] = api->ids[out->count];
}

static adi_sycl_device device_at(const struct adi_oneapi_api *api, size_t index) {
    void *devices = api->DeviceMgr_GetDevices(ADI_SYCL_ANY_DEVICE);
    adi_sycl_device found = devices == NULL ? NULL : api->DeviceVector_GetAt(devices, index);
    if (devices != NULL) api->DeviceVector_Delete(devices);
    return found;
}

static int open_queue(const struct adi_oneapi *oneapi, adi_sycl_queue *out,
                      struct adi_error *error) {
    *out = oneapi->api->Queue_CreateForDevice(oneapi->sycl, NULL, ADI_SYCL_IN_ORDER);
    if (*out != NULL) return 0;
    return adi_error_set(error, ENODEV, "DPCTLQueue_CreateForDevice gives NULL");
}

static int open_sycl(struct adi_oneapi *oneapi, int64_t id, struct adi_error *error) {
    oneapi->sycl = device_at(oneapi->api, (size_t)id);
    if (oneapi->sycl == NULL)
        return adi_error_set(error, ENODEV, "DPCTLDeviceVector_GetAt gives NULL");
    int code = open_queue(oneapi, &oneapi->queue, error);
    if (code != 0) {
        oneapi->api->Device_Delete(oneapi->sycl);
        return code;
    }
    oneapi->context = oneapi->api->Queue_GetContext(oneapi->queue);
    return 0;
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    const struct adi_oneapi_api *api = adi_oneapi_api(error);
    if (api == NULL) return ENODEV;
    bool there = false;
    for (int i = 0; i < api->count; i++) there = there || api->ids[i] == id;
    if (!there)
        return adi_error_set(error, ENODEV, "there is no oneapi:%" PRId64 " among %d", id,
                             api->count);
    struct adi_oneapi *oneapi = calloc(1, sizeof *oneapi);
    if (oneapi == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    oneapi->api = api;
    int code = open_sycl(oneapi, id, error);
    if (code != 0) {
        free(oneapi);
        return code;
    }
    pthread_mutex_init(&oneapi->lock, NULL);
    adi_made_begin(&oneapi->buffers);
    *out = (struct adi_device){&adi_device_oneapi, id, oneapi};
    return 0;
}

static void close_device(struct adi_device *device) {
    struct adi_oneapi *oneapi = device->state;
    adi_oneapi_end_writes(oneapi);
    oneapi->api->Context_Delete(oneapi->context);
    oneapi->api->Queue_Delete(oneapi->queue);
    oneapi->api->Device_Delete(oneapi->sycl);
    pthread_mutex_destroy(&oneapi->lock);
    adi_made_end(&oneapi->buffers);
    free(oneapi);
}

/* ---- events ---- */

static int record_on(struct adi_device *device, void *queue, void **sync_event,
                     struct adi_error *error) {
    const struct adi_oneapi *oneapi = device->state;
    *sync_event = oneapi->api->Queue_SubmitBarrier(queue);
    if (*sync_event != NULL) return 0;
    return adi_error_set(error, EIO, "DPCTLQueue_SubmitBarrier gives NULL");
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    struct adi_oneapi *oneapi = device->state;
    ADI_TRY(record_on(device, oneapi->queue, sync_event, error));
    adi_oneapi_keep_event(oneapi, *sync_event);
    adi_made_keep_event(&oneapi->known, *sync_event);
    return 0;
}

/* Whatever somebody else hands out as one; what is the device's own need not be felt for. What the
 * simulation gives out cannot be read, and it knows what it is. */
static int check_event(const struct adi_oneapi *oneapi, bool is_own, void *sync_event,
                       struct adi_error *error) {
    if (is_own || oneapi->api->is_simulated || adi_oneapi_is_event(sync_event)) return 0;
    return adi_error_set(error, EINVAL, "sync_event does not point to a sycl::event");
}

static int wait_on(struct adi_device *device, void *queue, void *sync_event,
                   struct adi_error *error) {
    struct adi_oneapi *oneapi = device->state;
    adi_sycl_event awaited = sync_event;
    if (sync_event == NULL) return 0;
    bool is_own = adi_made_has_event(&oneapi->known, sync_event);
    ADI_TRY(check_event(oneapi, is_own, sync_event, error));
    if (queue == oneapi->queue && !is_own) atomic_fetch_add(&oneapi->known.waits, 1);
    adi_sycl_event barrier = oneapi->api->Queue_SubmitBarrierForEvents(queue, &awaited, 1);
    if (barrier == NULL)
        return adi_error_set(error, EINVAL,
                             "DPCTLQueue_SubmitBarrierForEvents gives NULL: sync_event does not "
                             "point to a sycl::event");
    oneapi->api->Event_Delete(barrier);
    return 0;
}

static int wait_queued(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return wait_on(device, ((struct adi_oneapi *)device->state)->queue, sync_event, error);
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* An event that never completes must not keep us for ever, so it is asked over and over. */
static int settle(const struct adi_oneapi *oneapi, adi_sycl_event awaited,
                  struct adi_error *error) {
    const int64_t limit = adi_setting_wait_ms(WAIT_MS), end = now_ms() + limit;
    int status;
    while ((status = oneapi->api->Event_GetCommandExecutionStatus(awaited)) != ADI_SYCL_COMPLETE &&
           status != ADI_SYCL_UNKNOWN_STATUS && now_ms() < end)
        if (!oneapi->api->is_simulated) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    if (status == ADI_SYCL_COMPLETE) return 0;
    if (status != ADI_SYCL_UNKNOWN_STATUS)
        return adi_error_set(error, ETIMEDOUT, "the event was not complete after %" PRId64 " ms",
                             limit);
    return adi_error_set(error, EINVAL, "sync_event points to no sycl::event that has a status");
}

/* One behind nothing but work of the device's own completes. A wait does not say whether that has
 * failed: who reads what was written is told. */
static int wait_host(struct adi_device *device, void *sync_event, struct adi_error *error) {
    struct adi_oneapi *oneapi = device->state;
    if (sync_event == NULL) return 0;
    bool is_own = adi_made_has_event(&oneapi->known, sync_event);
    ADI_TRY(check_event(oneapi, is_own, sync_event, error));
    if (adi_made_is_sure(&oneapi->known, sync_event))
        oneapi->api->Event_Wait(sync_event);
    else
        ADI_TRY(settle(oneapi, sync_event, error));
    adi_oneapi_note_complete(oneapi, sync_event);
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    struct adi_oneapi *oneapi = device->state;
    adi_made_drop_event(&oneapi->known, sync_event);
    adi_oneapi_end_event(oneapi, sync_event);
    oneapi->api->Event_Delete(sync_event);
}

/* ---- queues ---- */

static int queue_open(struct adi_device *device, void **queue, struct adi_error *error) {
    adi_sycl_queue made;
    ADI_TRY(open_queue(device->state, &made, error));
    *queue = made;
    return 0;
}

static void queue_close(struct adi_device *device, void *queue) {
    const struct adi_oneapi *oneapi = device->state;
    oneapi->api->Queue_Delete(queue);
}

static const void *native_handle(struct adi_device *device, const char *what) {
    struct adi_oneapi *oneapi = device->state;
    if (strcmp(what, "oneapi.library") == 0) return oneapi->api->path;
    if (strcmp(what, "oneapi.queue") != 0) return NULL;
    oneapi->known.is_lent = true;
    return oneapi->queue;
}

static const struct adi_interceptor *interceptor(void) {
    const struct adi_oneapi_api *api = adi_oneapi_api(NULL);
    if (api == NULL) return NULL;
    if (!api->is_simulated) return adi_oneapi_interceptor(api);
    return adi_sim_beneath(api->library, NULL) == NULL ? NULL : adi_sim_interceptor();
}

/* SYCL's own records of queues, events and memory, whether or not somebody sees its calls. */
static bool runtime_keeps_books(void) {
    const struct adi_oneapi_api *api = adi_oneapi_api(NULL);
    return api != NULL && !api->is_simulated;
}

static void stand_in(void) {
    adi_oneapi_api(NULL);
}

const struct adi_device_ops adi_device_oneapi = {
    .size = sizeof adi_device_oneapi,
    .type = ARROW_DEVICE_ONEAPI,
    .name = "oneapi",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = adi_oneapi_alloc,
    .free = adi_oneapi_free,
    .write = adi_oneapi_write,
    .read = adi_oneapi_read,
    .event = event,
    .wait = wait_queued,
    .wait_host = wait_host,
    .event_free = event_free,
    .queue_open = queue_open,
    .queue_close = queue_close,
    .record_on = record_on,
    .wait_on = wait_on,
    .accessible = adi_oneapi_accessible,
    .native_handle = native_handle,
    .interceptor = interceptor,
    .stand_in = stand_in,
    .alloc_visible = adi_oneapi_alloc_visible,
    .free_visible = adi_oneapi_free_visible,
    .runtime_keeps_books = runtime_keeps_books,
};
