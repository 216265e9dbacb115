/* SPDX-License-Identifier: Apache-2.0 */
#include "webgpu.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct base_functions wgpu;

static bool has_its_own, never_asks, opens_the_other;

void base_has_its_own_device(bool asks) {
    has_its_own = true;
    never_asks = !asks;
}

void base_opens_the_other_device(void) {
    opens_the_other = true;
}

/* Of either device: the harness may have one of them only. */
static void *lent_by_any(const char *what) {
    void *found = base_lent(0, what);
    return found != NULL ? found : base_lent(1, what);
}

WGPU base_instance(void) {
    return lent_by_any("webgpu.instance");
}

/* ---- opening ---- */

static int find_functions(struct adi_error *error) {
    const char *path = lent_by_any("webgpu.library");
    void *library = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL) return adi_error_set(error, ENODEV, "the host has no WebGPU");
    const char *missing = NULL;
#define FIND(type, name, parameters)                                                               \
    *(void **)(void *)&wgpu.name = dlsym(library, "wgpu" #name);                                   \
    if (wgpu.name == NULL) missing = "wgpu" #name;
    FUNCTIONS(FIND)
#undef FIND
    return missing == NULL ? 0 : adi_error_set(error, ENODEV, "%s has no %s", path, missing);
}

static void got_device(int status, WGPU device, const char *text, size_t bytes, void *out,
                       void *unused) {
    (void)status, (void)text, (void)bytes, (void)unused;
    *(WGPU *)out = device;
}

static WGPU make_device(int64_t id) {
    WGPU adapters[8], device = NULL;
    size_t n = wgpu.InstanceEnumerateAdapters(base_instance(), NULL, NULL);
    if (n == 0 || n > 8) return NULL;
    n = wgpu.InstanceEnumerateAdapters(base_instance(), NULL, adapters);
    wgpu.AdapterRequestDevice(adapters[(size_t)id < n ? id : 0], NULL,
                              (struct base_callback){.mode = 3,
                                                     .call = (void (*)(void))got_device,
                                                     .data = {&device, NULL}});
    for (size_t i = 0; i < n; i++) wgpu.AdapterRelease(adapters[i]);
    return device;
}

static int open_lent(int64_t id, struct adi_device *out, struct adi_error *error) {
    struct base_webgpu *on = calloc(1, sizeof *on);
    if (on == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    ADI_TRY(find_functions(error));
    if (!never_asks) on->device = base_lent(id, "webgpu.device");
    on->queue = base_lent(id, "webgpu.queue");
    if (has_its_own || (on->device == NULL && (base.other || opens_the_other))) {
        on->device = on->own_device = make_device(id);
        if (on->device != NULL) on->queue = wgpu.DeviceGetQueue(on->device);
    }
    if (on->device == NULL) {
        free(on);
        return adi_error_set(error, ENODEV, "no such WGPUDevice");
    }
    *out = (struct adi_device){&base.ops, id, on};
    return 0;
}

static void close_lent(struct adi_device *device) {
    struct base_webgpu *on = base_on(device);
    if (on->own_device != NULL) {
        wgpu.QueueRelease(on->queue);
        wgpu.DeviceRelease(on->own_device);
    }
    free(on);
}

/* ---- buffers ---- */

static uint64_t in_words(int64_t bytes) {
    return ((uint64_t)bytes + 3) / 4 * 4;
}

WGPU base_make_buffer(struct adi_device *device, uint64_t usage, int64_t bytes, bool mapped) {
    const struct base_buffer wish = {
        .usage = usage, .size = in_words(bytes), .mapped_at_creation = mapped};
    return wgpu.DeviceCreateBuffer(base_on(device)->device, &wish);
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    *buffer = base_make_buffer(device, COPY_SRC | COPY_DST | STORAGE, bytes, false);
    return *buffer != NULL ? 0 : adi_error_set(error, ENOMEM, "no buffer");
}

static void free_buffer(struct adi_device *device, void *buffer) {
    (void)device;
    wgpu.BufferRelease(buffer);
}

void base_copy(struct adi_device *device, WGPU from, uint64_t from_offset, WGPU to,
               uint64_t to_offset, uint64_t bytes) {
    WGPU encoder = wgpu.DeviceCreateCommandEncoder(base_on(device)->device, NULL);
    wgpu.CommandEncoderCopyBufferToBuffer(encoder, from, from_offset, to, to_offset, bytes);
    WGPU commands = wgpu.CommandEncoderFinish(encoder, NULL);
    wgpu.QueueSubmit(base_on(device)->queue, 1, &commands);
    wgpu.CommandBufferRelease(commands);
    wgpu.CommandEncoderRelease(encoder);
}

/* The reference writes whole buffers, whose last word is theirs. */
int base_write_unwaited(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    WGPU queue = base_on(device)->queue;
    uint64_t whole = (uint64_t)bytes / 4 * 4, rest = (uint64_t)bytes - whole;
    char last[4] = {0};
    if (offset % 4 != 0) return adi_error_set(error, EINVAL, "not at the beginning of a word");
    if (whole > 0) wgpu.QueueWriteBuffer(queue, buffer, (uint64_t)offset, from, whole);
    if (rest == 0) return 0;
    memcpy(last, (const char *)from + whole, rest);
    wgpu.QueueWriteBuffer(queue, buffer, (uint64_t)offset + whole, last, sizeof last);
    return 0;
}

/* ---- waiting ---- */

static void is_told(int status, const char *text, size_t bytes, void *told, void *unused) {
    (void)text, (void)bytes, (void)unused;
    *(int *)told = status;
}

void base_ask_when_done(struct adi_device *device, int *told) {
    wgpu.QueueSubmit(base_on(device)->queue, 0, NULL);
    wgpu.QueueOnSubmittedWorkDone(
        base_on(device)->queue,
        (struct base_callback){.mode = 3, .call = (void (*)(void))is_told, .data = {told, NULL}});
}

int base_finish(struct adi_device *device, struct adi_error *error) {
    int told = 0;
    base_ask_when_done(device, &told);
    wgpu.DevicePoll(base_on(device)->device, 1, NULL);
    return told == 1 ? 0 : adi_error_set(error, EIO, "wgpuQueueOnSubmittedWorkDone");
}

static int read_now(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    int told = 0;
    if (bytes == 0) return 0;
    uint64_t from = (uint64_t)offset / 4 * 4, words = in_words(offset + bytes) - from;
    WGPU staging = base_make_buffer(device, MAP_READ | COPY_DST, (int64_t)words, false);
    if (staging == NULL) return adi_error_set(error, ENOMEM, "no buffer");
    base_copy(device, (WGPU)(uintptr_t)buffer, from, staging, 0, words);
    wgpu.BufferMapAsync(
        staging, MAP_READ, 0, words,
        (struct base_callback){.mode = 3, .call = (void (*)(void))is_told, .data = {&told, NULL}});
    wgpu.DevicePoll(base_on(device)->device, 1, NULL);
    const char *range = told == 1 ? wgpu.BufferGetConstMappedRange(staging, 0, words) : NULL;
    if (range != NULL) memcpy(to, range + ((uint64_t)offset - from), (size_t)bytes);
    if (range != NULL) wgpu.BufferUnmap(staging);
    wgpu.BufferRelease(staging);
    return range != NULL ? 0 : adi_error_set(error, EIO, "wgpuBufferMapAsync");
}

/* There is none: what was queued has run when the array is handed out. */
static int no_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    *sync_event = NULL;
    return base_finish(device, error);
}

static int no_wait(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device, (void)sync_event;
}

static const struct adi_device_ops ops = {
    .size = sizeof ops,
    .type = ARROW_DEVICE_WEBGPU,
    .name = "webgpu of another project",
    .alloc = alloc,
    .free = free_buffer,
    .write = base_write_unwaited,
    .read = read_now,
    .event = no_event,
    .wait = no_wait,
    .wait_host = no_wait,
    .event_free = event_free,
};

static void begin(void) {
    base.ops.open = open_lent;
    base.ops.close = close_lent;
}

const struct base_kind base_kind = {
    .name = "webgpu base", .device = &ops, .is_handed_out = true, .begin = begin};
