/* SPDX-License-Identifier: Apache-2.0
 *
 * The header since wgpu-native 24: labels have a length, flags 64 bits, a callback comes in a
 * structure and has two data. Since 29 the callback for finished work is given a message, too.
 */
#include <string.h>

#include "webgpu_api.h"

struct text {
    const char *data;
    size_t length;
};

typedef void on_handle(int status, void *handle, struct text message, void *data, void *unused);
typedef void on_status(int status, void *data, void *unused);
typedef void on_message(int status, struct text message, void *data, void *unused);
typedef void on_device(void *const *device, int number, struct text message, void *data,
                       void *unused);

struct info {
    const void *next;
    int mode;
    adi_webgpu_function call;
    void *data[2];
};

struct future {
    uint64_t id;
};

struct label {
    const void *next;
    struct text text;
};

struct device_descriptor {
    struct label label;
    size_t n_features;
    const int *features;
    const void *limits;
    struct label queue;
    struct info lost;
    struct {
        const void *next;
        on_device *call;
        void *data[2];
    } uncaptured;
};

struct buffer_descriptor {
    struct label label;
    uint64_t usage, size;
    uint32_t mapped_at_creation;
};

#define SPONTANEOUS 3 /* a callback comes from whatever call notices */

/* A length of all ones: it ends in 0. */
static size_t length(struct text text) {
    if (text.data == NULL) return 0;
    return text.length == SIZE_MAX ? strlen(text.data) : text.length;
}

static void told_handle(int status, void *handle, struct text message, void *data, void *unused) {
    (void)unused;
    adi_webgpu_note_told(data, status == 1, handle, message.data, length(message));
}

static void told_status(int status, void *data, void *unused) {
    (void)unused;
    adi_webgpu_note_told(data, status == 1, NULL, NULL, 0);
}

static void told_message(int status, struct text message, void *data, void *unused) {
    (void)unused;
    adi_webgpu_note_told(data, status == 1, NULL, message.data, length(message));
}

static void told_error(void *const *device, int type, struct text message, void *data,
                       void *unused) {
    (void)device, (void)type, (void)data, (void)unused;
    adi_webgpu_note_error(message.data, length(message));
}

static void told_lost(void *const *handle, int reason, struct text message, void *device,
                      void *unused) {
    (void)handle, (void)reason, (void)unused;
    adi_webgpu_note_lost(device, message.data, length(message));
}

static void request_device(const struct adi_webgpu_api *api, void *adapter, void *device,
                           struct adi_webgpu_told *told) {
    const struct device_descriptor descriptor = {
        .lost = {NULL, SPONTANEOUS, (adi_webgpu_function)told_lost, {device, NULL}},
        .uncaptured = {NULL, told_error, {NULL, NULL}}};
    struct future (*call)(void *, const struct device_descriptor *, struct info) =
        (struct future(*)(void *, const struct device_descriptor *,
                          struct info))api->AdapterRequestDevice;
    call(adapter, &descriptor,
         (struct info){NULL, SPONTANEOUS, (adi_webgpu_function)told_handle, {told, NULL}});
}

static void *create_buffer(const struct adi_webgpu_api *api, void *device, uint64_t usage,
                           uint64_t bytes) {
    const struct buffer_descriptor descriptor = {.usage = usage, .size = bytes};
    typedef void *make(void *device, const struct buffer_descriptor *descriptor);
    return ((make *)api->DeviceCreateBuffer)(device, &descriptor);
}

static uint64_t usage_of(const struct adi_webgpu_api *api, void *buffer) {
    return ((uint64_t(*)(void *))api->BufferGetUsage)(buffer);
}

static void map_to_read(const struct adi_webgpu_api *api, void *buffer, size_t bytes,
                        struct adi_webgpu_told *told) {
    struct future (*call)(void *buffer, uint64_t mode, size_t offset, size_t bytes, struct info) =
        (struct future(*)(void *, uint64_t, size_t, size_t, struct info))api->BufferMapAsync;
    call(buffer, ADI_WEBGPU_MAP_READ, 0, bytes,
         (struct info){NULL, SPONTANEOUS, (adi_webgpu_function)told_message, {told, NULL}});
}

static void tell(const struct adi_webgpu_api *api, void *queue, adi_webgpu_function callback,
                 struct adi_webgpu_told *told) {
    struct future (*call)(void *queue, struct info) =
        (struct future(*)(void *, struct info))api->QueueOnSubmittedWorkDone;
    call(queue, (struct info){NULL, SPONTANEOUS, callback, {told, NULL}});
}

static void tell_when_done(const struct adi_webgpu_api *api, void *queue,
                           struct adi_webgpu_told *told) {
    tell(api, queue, (adi_webgpu_function)told_status, told);
}

static void tell_with_message(const struct adi_webgpu_api *api, void *queue,
                              struct adi_webgpu_told *told) {
    tell(api, queue, (adi_webgpu_function)told_message, told);
}

const struct adi_webgpu_layout adi_webgpu_24 = {"24 25 27", request_device, create_buffer,
                                                usage_of,   map_to_read,    tell_when_done};
const struct adi_webgpu_layout adi_webgpu_29 = {"29",     request_device, create_buffer,
                                                usage_of, map_to_read,    tell_with_message};
