/* SPDX-License-Identifier: Apache-2.0
 *
 * WebGPU by the C functions of webgpu.h. A buffer value is a WGPUBuffer. The type has no events:
 * who exports has waited (wgpuQueueOnSubmittedWorkDone), since nobody could later.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices.h"
#include "webgpu_internal.h"

static void probe(struct adi_device_probe *out) {
    static char real[32];
    *out = (struct adi_device_probe){.runtime = "simulated"};
    const struct adi_webgpu_api *api = adi_webgpu_api(&out->why);
    if (api == NULL) return;
    if (!api->is_simulated) {
        snprintf(real, sizeof real, "wgpu-native %u.%u.%u.%u", (unsigned)(api->version >> 24),
                 api->version >> 16 & 255u, api->version >> 8 & 255u, api->version & 255u);
        out->runtime = real;
    }
    for (; out->count < adi_webgpu_ids(api) && out->count < ADI_DEVICE_IDS; out->count++)
        out->ids[out->count] = out->count;
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    struct adi_webgpu *webgpu;
    ADI_TRY(adi_webgpu_open(id, &webgpu, error));
    *out = (struct adi_device){&adi_device_webgpu, id, webgpu};
    return 0;
}

static void close_device(struct adi_device *device) {
    adi_webgpu_close(adi_webgpu_of(device));
}

/* ---- there are no events ---- */

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    *sync_event = NULL;
    return adi_webgpu_finish(adi_webgpu_of(device), error);
}

static int wait_for(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device, (void)sync_event;
}

/* ---- what an implementation and the harness ask for ---- */

static bool accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    const struct adi_webgpu *webgpu = adi_webgpu_of(device);
    struct adi_webgpu_buffer found;
    if (adi_webgpu_locate(webgpu, buffer, 0, 0, &found, why) != 0) return false;
    uint64_t usage = webgpu->api->layout->usage_of(webgpu->api, (void *)(uintptr_t)buffer);
    if (usage & ADI_WEBGPU_COPY_SRC) return true;
    adi_error_set(why, EFAULT,
                  "the WGPUBuffer %p has not the usage CopySrc: nothing can be copied "
                  "from it",
                  buffer);
    return false;
}

/* Has anybody asked for the WGPUDevice? */
static bool is_handed_out;

static const void *native_handle(struct adi_device *device, const char *what) {
    const struct adi_webgpu *webgpu = adi_webgpu_of(device);
    const struct {
        const char *name;
        const void *handle;
    } handles[] = {
        {"webgpu.instance", webgpu->api->instance},
        {"webgpu.device", webgpu->device},
        {"webgpu.queue", webgpu->queue},
        {"webgpu.library", webgpu->api->path},
    };
    is_handed_out = is_handed_out || strcmp(what, "webgpu.device") == 0;
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (strcmp(handles[i].name, what) == 0) return handles[i].handle;
    return NULL;
}

/* Nothing in the structure names a WGPUDevice, so nobody can be blamed for having one of his own;
 * who has asked for ours knows better. */
static bool can_identify_buffer(struct adi_device *device, const void *buffer,
                                struct adi_error *why) {
    const struct adi_webgpu *webgpu = adi_webgpu_of(device);
    struct adi_webgpu_buffer found;
    bool known = adi_webgpu_look(webgpu, buffer, &found, NULL) == 0;
    if (!known && !adi_webgpu_can_tell(webgpu)) {
        adi_error_set(why, ENOTSUP,
                      "%p may be a WGPUBuffer: this version of wgpu-native does not let one tell",
                      buffer);
        return false;
    }
    if (!known || found.is_ours || found.is_elsewhere || is_handed_out) return true;
    adi_error_set(why, ENOTSUP,
                  "the array is on a WGPUDevice of the implementation's own, and a WGPUBuffer "
                  "belongs to one: it has to work on the one that adi_host.get hands out as "
                  "\"webgpu.device\"");
    return false;
}

/* A WGPUDevice has one queue, in which only the simulation sees what is. */
static unsigned unobservable(int64_t id) {
    const struct adi_webgpu_api *api = adi_webgpu_api(NULL);
    (void)id;
    return api == NULL || api->is_simulated ? 0 : ADI_UNOBSERVABLE_PENDING;
}

static bool is_lost(struct adi_device *device, struct adi_error *why) {
    const struct adi_webgpu *webgpu = adi_webgpu_of(device);
    if (!webgpu->is_lost) return false;
    adi_error_set(why, ENODEV, "webgpu:%" PRId64 " is lost: %s", webgpu->id, webgpu->lost);
    return true;
}

/* wgpu-native 27 leaves some memory behind at each mapping. */
static bool runtime_keeps_books(void) {
    const struct adi_webgpu_api *api = adi_webgpu_api(NULL);
    return api != NULL && !api->is_simulated && api->version >> 24 == 27;
}

static void stand_in(void) {
    adi_webgpu_api(NULL);
}

const struct adi_device_ops adi_device_webgpu = {
    .size = sizeof adi_device_webgpu,
    .type = ARROW_DEVICE_WEBGPU,
    .name = "webgpu",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = adi_webgpu_alloc,
    .free = adi_webgpu_free,
    .write = adi_webgpu_write,
    .read = adi_webgpu_read,
    .event = event,
    .wait = wait_for,
    .wait_host = wait_for,
    .event_free = event_free,
    .accessible = accessible,
    .native_handle = native_handle,
    .remedy = "ADI_WEBGPU names another libwgpu_native.so; VK_ICD_FILENAMES chooses among the "
              "drivers beneath it",
    .interceptor = adi_webgpu_interceptor,
    .stand_in = stand_in,
    .unobservable = unobservable,
    .can_identify_buffer = can_identify_buffer,
    .is_lost = is_lost,
    .runtime_keeps_books = runtime_keeps_books,
};
