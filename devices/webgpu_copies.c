/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of WebGPU are of whole words: what is written in part of one is put together with the rest
 * of it here.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "webgpu_internal.h"

#define WORD ((uint64_t)4)

static uint64_t down(uint64_t bytes) {
    return bytes & ~(WORD - 1);
}

static uint64_t up(uint64_t bytes) {
    return down(bytes + WORD - 1);
}

static int check(const char *call, struct adi_error *error) {
    const char *why = adi_webgpu_last_error();
    return *why == '\0' ? 0 : adi_error_set(error, EIO, "%s: %s", call, why);
}

/* ---- reading ---- */

/* Whoever reads has it: what one party makes the other does not write. */
static void *make_staging(struct adi_webgpu *webgpu, uint64_t bytes, struct adi_error *error) {
    const struct adi_webgpu_api *api = webgpu->api;
    adi_webgpu_last_error();
    void *made = api->layout->create_buffer(api, webgpu->device,
                                            ADI_WEBGPU_MAP_READ | ADI_WEBGPU_COPY_DST, bytes);
    int code = check("wgpuDeviceCreateBuffer", error);
    if (made == NULL && code == 0)
        adi_error_set(error, ENOMEM, "wgpuDeviceCreateBuffer: no buffer came");
    if (made != NULL && code != 0) api->BufferRelease(made);
    return code == 0 ? made : NULL;
}

static int submit_copy(struct adi_webgpu *webgpu, void *from, uint64_t offset, void *to,
                       uint64_t bytes, struct adi_error *error) {
    const struct adi_webgpu_api *api = webgpu->api;
    adi_webgpu_last_error();
    void *encoder = api->DeviceCreateCommandEncoder(webgpu->device, NULL);
    if (encoder == NULL) return adi_error_set(error, EIO, "wgpuDeviceCreateCommandEncoder");
    api->CommandEncoderCopyBufferToBuffer(encoder, from, offset, to, 0, bytes);
    void *commands = api->CommandEncoderFinish(encoder, NULL);
    int code = check("wgpuCommandEncoderCopyBufferToBuffer", error);
    if (code == 0) {
        api->QueueSubmit(webgpu->queue, 1, &commands);
        code = check("wgpuQueueSubmit", error);
    }
    if (commands != NULL) api->CommandBufferRelease(commands);
    api->CommandEncoderRelease(encoder);
    return code;
}

static int map_and_copy(struct adi_webgpu *webgpu, void *staging, uint64_t from, void *to,
                        size_t bytes, struct adi_error *error) {
    const struct adi_webgpu_api *api = webgpu->api;
    static _Thread_local struct adi_webgpu_told told;
    size_t words = (size_t)up(from + bytes);
    told = (struct adi_webgpu_told){.came = false};
    api->layout->map_to_read(api, staging, words, &told);
    if (!told.came) api->DevicePoll(webgpu->device, 1, NULL);
    const char *why = adi_webgpu_last_error();
    if (!told.came || !told.is_good)
        return adi_error_set(error, EIO, "wgpuBufferMapAsync: %s",
                             webgpu->is_lost        ? "the device is lost"
                             : *why != '\0'         ? why
                             : told.text[0] != '\0' ? told.text
                                                    : "it was not mapped");
    const char *range = api->BufferGetConstMappedRange(staging, 0, words);
    if (range != NULL) memcpy(to, range + from, bytes);
    api->BufferUnmap(staging);
    return range != NULL ? 0 : adi_error_set(error, EIO, "wgpuBufferGetConstMappedRange");
}

static int read_words(struct adi_webgpu *webgpu, void *buffer, uint64_t offset, void *to,
                      uint64_t bytes, struct adi_error *error) {
    uint64_t from = down(offset), end = up(offset + bytes);
    void *staging = make_staging(webgpu, end - from, error);
    if (staging == NULL) return EIO;
    int code = submit_copy(webgpu, buffer, from, staging, end - from, error);
    if (code == 0) code = map_and_copy(webgpu, staging, offset - from, to, (size_t)bytes, error);
    webgpu->api->BufferRelease(staging);
    return code;
}

static int check_last_word(const void *buffer, uint64_t end, const struct adi_webgpu_buffer *found,
                           struct adi_error *error) {
    if (up(end) <= found->bytes) return 0;
    return adi_error_set(error, EFAULT,
                         "the WGPUBuffer %p has %" PRIu64
                         " bytes, no multiple of 4: its last word cannot be copied",
                         buffer, found->bytes);
}

int adi_webgpu_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    struct adi_webgpu *webgpu = adi_webgpu_of(device);
    struct adi_webgpu_buffer found;
    if (bytes == 0) return 0;
    ADI_TRY(adi_webgpu_locate(webgpu, buffer, offset, bytes, &found, error));
    ADI_TRY(check_last_word(buffer, (uint64_t)(offset + bytes), &found, error));
    return read_words(webgpu, (void *)(uintptr_t)buffer, (uint64_t)offset, to, (uint64_t)bytes,
                      error);
}

/* ---- writing ---- */

static int write_words(struct adi_webgpu *webgpu, void *buffer, uint64_t offset, const void *from,
                       uint64_t bytes, struct adi_error *error) {
    adi_webgpu_last_error();
    atomic_store(&webgpu->has_written, true);
    webgpu->api->QueueWriteBuffer(webgpu->queue, buffer, offset, from, (size_t)bytes);
    return check("wgpuQueueWriteBuffer", error);
}

/* Some bytes of one word: the others are read, unless there is nothing behind the last of them. */
static int write_part(struct adi_webgpu *webgpu, void *buffer, uint64_t offset, const char *from,
                      uint64_t bytes, bool is_end, struct adi_error *error) {
    unsigned char word[4] = {0};
    uint64_t at = down(offset);
    if (bytes == 0) return 0;
    if (!is_end || offset != at) ADI_TRY(read_words(webgpu, buffer, at, word, sizeof word, error));
    memcpy(word + (offset - at), from, bytes);
    return write_words(webgpu, buffer, at, word, sizeof word, error);
}

int adi_webgpu_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *error) {
    struct adi_webgpu *webgpu = adi_webgpu_of(device);
    struct adi_webgpu_buffer found;
    const char *bytes_of = from;
    if (bytes == 0) return 0;
    ADI_TRY(adi_webgpu_locate(webgpu, buffer, offset, bytes, &found, error));
    uint64_t begin = (uint64_t)offset, end = begin + (uint64_t)bytes;
    ADI_TRY(check_last_word(buffer, end, &found, error));
    uint64_t first = up(begin) < end ? up(begin) : end,
             last = down(end) > first ? down(end) : first;
    ADI_TRY(write_part(webgpu, buffer, begin, bytes_of, first - begin, false, error));
    if (last > first)
        ADI_TRY(
            write_words(webgpu, buffer, first, bytes_of + (first - begin), last - first, error));
    return write_part(webgpu, buffer, last, bytes_of + (last - begin), end - last,
                      up(end) == found.bytes, error);
}
