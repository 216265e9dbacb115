/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of wgpu-native 22: labels are strings, flags have 32 bits, a callback has one datum.
 */
#include <string.h>

#include "webgpu_api.h"

typedef void on_handle(int status, void *handle, const char *message, void *data);
typedef void on_status(int status, void *data);
typedef void on_text(int number, const char *message, void *data); /* of an error, of a loss */

struct label {
    const void *next;
    const char *text;
};

struct device_descriptor {
    struct label label;
    size_t n_features;
    const int *features;
    const void *limits;
    struct label queue;
    on_text *on_lost;
    void *lost_data;
    struct {
        const void *next;
        on_text *call;
        void *data;
    } uncaptured;
};

struct buffer_descriptor {
    struct label label;
    uint32_t usage;
    uint64_t size;
    uint32_t mapped_at_creation;
};

static size_t length(const char *text) {
    return text == NULL ? 0 : strlen(text);
}

static void told_handle(int status, void *handle, const char *message, void *data) {
    adi_webgpu_note_told(data, status == 0, handle, message, length(message));
}

static void told_status(int status, void *data) {
    adi_webgpu_note_told(data, status == 0, NULL, NULL, 0);
}

static void told_error(int type, const char *message, void *data) {
    (void)type, (void)data;
    adi_webgpu_note_error(message, length(message));
}

static void told_lost(int reason, const char *message, void *device) {
    (void)reason;
    adi_webgpu_note_lost(device, message, length(message));
}

static void request_device(const struct adi_webgpu_api *api, void *adapter, void *device,
                           struct adi_webgpu_told *told) {
    const struct device_descriptor descriptor = {
        .on_lost = told_lost, .lost_data = device, .uncaptured = {NULL, told_error, NULL}};
    void (*call)(void *adapter, const struct device_descriptor *descriptor, on_handle *callback,
                 void *data) = (void (*)(void *, const struct device_descriptor *, on_handle *,
                                         void *))api->AdapterRequestDevice;
    call(adapter, &descriptor, told_handle, told);
}

static void *create_buffer(const struct adi_webgpu_api *api, void *device, uint64_t usage,
                           uint64_t bytes) {
    const struct buffer_descriptor descriptor = {.usage = (uint32_t)usage, .size = bytes};
    typedef void *make(void *device, const struct buffer_descriptor *descriptor);
    return ((make *)api->DeviceCreateBuffer)(device, &descriptor);
}

static uint64_t usage_of(const struct adi_webgpu_api *api, void *buffer) {
    return ((uint32_t(*)(void *))api->BufferGetUsage)(buffer);
}

static void map_to_read(const struct adi_webgpu_api *api, void *buffer, size_t bytes,
                        struct adi_webgpu_told *told) {
    void (*call)(void *buffer, uint32_t mode, size_t offset, size_t bytes, on_status *callback,
                 void *data) =
        (void (*)(void *, uint32_t, size_t, size_t, on_status *, void *))api->BufferMapAsync;
    call(buffer, ADI_WEBGPU_MAP_READ, 0, bytes, told_status, told);
}

static void tell_when_done(const struct adi_webgpu_api *api, void *queue,
                           struct adi_webgpu_told *told) {
    void (*call)(void *queue, on_status *callback, void *data) =
        (void (*)(void *, on_status *, void *))api->QueueOnSubmittedWorkDone;
    call(queue, told_status, told);
}

const struct adi_webgpu_layout adi_webgpu_22 = {"22",     request_device, create_buffer,
                                                usage_of, map_to_read,    tell_when_done};
