/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "host.h"
#include "webgpu_internal.h"

/* ---- those that were made here ---- */

#define BUCKETS 1024

struct made {
    struct made *next;
    void *buffer, *device;
    uint64_t bytes;
};

static struct made *made[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct made **bucket_of(const void *buffer) {
    uintptr_t at = (uintptr_t)buffer / 16;
    return &made[(at ^ at / BUCKETS) % BUCKETS];
}

static bool find_made(const void *buffer, struct made *out) {
    pthread_mutex_lock(&lock);
    const struct made *at = *bucket_of(buffer);
    while (at != NULL && at->buffer != buffer) at = at->next;
    if (at != NULL) *out = *at;
    pthread_mutex_unlock(&lock);
    return at != NULL;
}

/* ---- what a buffer looks like ---- */

/* A handle of wgpu-native is the address of a structure behind two counters of references. Which
 * words of it are what, no document says; but those that two buffers of a device have in common,
 * and that are addresses, are its device's and its instance's. */
#define COUNTERS 2

static bool read_words(const void *buffer, uint64_t words[ADI_WEBGPU_WORDS]) {
    const char *from = (const char *)buffer - COUNTERS * sizeof *words;
    return adi_host_read(from, 0, words, ADI_WEBGPU_WORDS * sizeof *words, NULL) == 0;
}

static bool is_address(uint64_t word) {
    char first;
    return word > UINT16_MAX && word % sizeof(void *) == 0 &&
           adi_host_read((const void *)(uintptr_t)word, 0, &first, 1, NULL) == 0;
}

void adi_webgpu_learn(struct adi_webgpu *webgpu) {
    const struct adi_webgpu_api *api = webgpu->api;
    struct adi_webgpu_likeness *likeness = &webgpu->likeness;
    uint64_t other[ADI_WEBGPU_WORDS];
    if (api->is_simulated) return;
    void *one = api->layout->create_buffer(api, webgpu->device, ADI_WEBGPU_COPY_SRC, 4);
    void *two = api->layout->create_buffer(api, webgpu->device, ADI_WEBGPU_COPY_DST, 64);
    if (one != NULL && two != NULL && read_words(one, likeness->words) && read_words(two, other))
        for (unsigned i = COUNTERS; i < ADI_WEBGPU_WORDS; i++)
            if (likeness->words[i] == other[i] && is_address(other[i])) likeness->known |= 1u << i;
    if (one != NULL) api->BufferRelease(one);
    if (two != NULL) api->BufferRelease(two);
}

bool adi_webgpu_can_tell(const struct adi_webgpu *webgpu) {
    return webgpu->api->is_simulated || webgpu->likeness.known != 0;
}

static bool is_alike(const struct adi_webgpu *webgpu, const void *value) {
    const struct adi_webgpu_likeness *likeness = &webgpu->likeness;
    uint64_t words[ADI_WEBGPU_WORDS];
    if (likeness->known == 0 || (uintptr_t)value % sizeof(void *) != 0) return false;
    if (!read_words(value, words) || words[0] == 0 || words[0] > INT32_MAX) return false;
    for (unsigned i = COUNTERS; i < ADI_WEBGPU_WORDS; i++)
        if (likeness->known >> i & 1 && words[i] != likeness->words[i]) return false;
    return true;
}

/* ---- finding ---- */

/* One that was made here is there until it is freed here: nobody else may. */
static bool look_made(const struct adi_webgpu *webgpu, const void *value,
                      struct adi_webgpu_buffer *out) {
    struct made known;
    if (!find_made(value, &known)) return false;
    bool is_ours = known.device == webgpu->device;
    *out = (struct adi_webgpu_buffer){known.bytes, is_ours, !is_ours};
    return true;
}

static int look_simulated(const struct adi_webgpu *webgpu, const void *value,
                          struct adi_webgpu_buffer *out) {
    void *device;
    int adapter;
    if (!webgpu->api->look(value, &device, &adapter, &out->bytes)) return EFAULT;
    out->is_ours = device == webgpu->device;
    out->is_elsewhere = adapter != webgpu->id;
    return 0;
}

static int look_alike(const struct adi_webgpu *webgpu, const void *value,
                      struct adi_webgpu_buffer *out) {
    void *buffer = (void *)(uintptr_t)value;
    if (!is_alike(webgpu, value)) return EFAULT;
    *out = (struct adi_webgpu_buffer){webgpu->api->BufferGetSize(buffer), true, false};
    return 0;
}

int adi_webgpu_look(const struct adi_webgpu *webgpu, const void *value,
                    struct adi_webgpu_buffer *out, struct adi_error *error) {
    int code = value == NULL                   ? EFAULT
               : look_made(webgpu, value, out) ? 0
               : webgpu->api->is_simulated     ? look_simulated(webgpu, value, out)
                                               : look_alike(webgpu, value, out);
    if (code == 0) return 0;
    return adi_error_set(error, EFAULT, "%p is no live WGPUBuffer of webgpu:%" PRId64, value,
                         webgpu->id);
}

int adi_webgpu_locate(const struct adi_webgpu *webgpu, const void *value, int64_t offset,
                      int64_t bytes, struct adi_webgpu_buffer *out, struct adi_error *error) {
    ADI_TRY(adi_webgpu_look(webgpu, value, out, error));
    if (!out->is_ours)
        return adi_error_set(
            error, EFAULT, "%p is a WGPUBuffer of another WGPUDevice than that of webgpu:%" PRId64,
            value, webgpu->id);
    if (offset >= 0 && bytes >= 0 && (uint64_t)offset <= out->bytes &&
        (uint64_t)bytes <= out->bytes - (uint64_t)offset)
        return 0;
    return adi_error_set(error, EFAULT,
                         "there are no %" PRId64 " bytes at offset %" PRId64
                         " of a WGPUBuffer of %" PRIu64,
                         bytes, offset, out->bytes);
}

/* ---- making ---- */

static uint64_t in_words(int64_t bytes) {
    return ((uint64_t)bytes + 3) & ~(uint64_t)3;
}

int adi_webgpu_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                     struct adi_error *error) {
    const struct adi_webgpu *webgpu = adi_webgpu_of(device);
    const struct adi_webgpu_api *api = webgpu->api;
    if (bytes <= 0) return adi_error_set(error, EINVAL, "a buffer of %" PRId64 " bytes", bytes);
    struct made *note = malloc(sizeof *note);
    if (note == NULL) return adi_error_set(error, ENOMEM, "no memory for a buffer");
    adi_webgpu_last_error();
    void *handle = api->layout->create_buffer(
        api, webgpu->device, ADI_WEBGPU_COPY_SRC | ADI_WEBGPU_COPY_DST | ADI_WEBGPU_STORAGE,
        in_words(bytes));
    const char *why = adi_webgpu_last_error();
    if (handle == NULL || *why != '\0') {
        if (handle != NULL) api->BufferRelease(handle);
        free(note);
        return adi_error_set(error, ENOMEM, "wgpuDeviceCreateBuffer of %" PRId64 " bytes: %s",
                             bytes, *why != '\0' ? why : "no buffer came");
    }
    *note = (struct made){NULL, handle, webgpu->device, in_words(bytes)};
    pthread_mutex_lock(&lock);
    note->next = *bucket_of(handle);
    *bucket_of(handle) = note;
    pthread_mutex_unlock(&lock);
    *buffer = handle;
    return 0;
}

/* What is no buffer of ours goes to the simulation, which says so, and never to wgpu-native; that
 * gives memory back when it is asked for something, and not before. */
void adi_webgpu_free(struct adi_device *device, void *buffer) {
    struct adi_webgpu *webgpu = adi_webgpu_of(device);
    const struct adi_webgpu_api *api = webgpu->api;
    pthread_mutex_lock(&lock);
    struct made **link = bucket_of(buffer);
    while (*link != NULL && (*link)->buffer != buffer) link = &(*link)->next;
    struct made *note = *link;
    if (note != NULL) *link = note->next;
    pthread_mutex_unlock(&lock);
    if (note != NULL || api->is_simulated) api->BufferRelease(buffer);
    if (!api->is_simulated && atomic_load(&webgpu->has_written)) adi_webgpu_finish(webgpu, NULL);
    free(note);
}
