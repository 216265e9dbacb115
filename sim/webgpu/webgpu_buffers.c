/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers: memory of a device, which the CPU gets at by a mapping alone. What it sees is a copy
 * that is there while the mapping lasts.
 */
#include <errno.h>
#include <string.h>

#include "webgpu.h"

enum {
    MAP_READ = 1,
    MAP_WRITE = 2,
    COPY_SRC = 4,
    COPY_DST = 8,
    ALL = 0x3ff,
};

/* ---- making ---- */

static const char *refuse_to_make(uint64_t usage, uint64_t size, bool mapped) {
    if (usage == 0 || (usage & ~(uint64_t)ALL) != 0) return "a usage that there is not";
    if (usage & MAP_READ && (usage & ~(uint64_t)(MAP_READ | COPY_DST)) != 0)
        return "a buffer that is mapped for reading can only be copied into";
    if (usage & MAP_WRITE && (usage & ~(uint64_t)(MAP_WRITE | COPY_SRC)) != 0)
        return "a buffer that is mapped for writing can only be copied from";
    if (size > WEBGPU_MOST) return "a buffer has 256 MiB at most";
    if (mapped && size % 4 != 0) return "what is mapped at its creation has whole words";
    return NULL;
}

/* A new buffer is zeros, which is nobody's command: it is there when the call returns. */
static int make_zeros(struct webgpu_object *device, uint64_t size, void **memory) {
    adi_sim_queue aside = device->device.aside;
    SIM_TRY(adi_sim_alloc(device->device.context, ADI_SIM_DEVICE, size, memory));
    int code = adi_sim_fill(aside, *memory, 0, 4, size / 4);
    if (code == 0) code = adi_sim_queue_sync(aside);
    if (code != 0) adi_sim_free(*memory);
    return code;
}

static void forget_range(struct webgpu_object *buffer) {
    if (buffer->buffer.range != NULL) adi_sim_free(buffer->buffer.range);
    buffer->buffer.range = NULL;
    buffer->buffer.map = WEBGPU_UNMAPPED;
}

/* Words of the CPU's, for a mapping. */
static int make_range(struct webgpu_object *buffer, uint64_t offset, uint64_t bytes, bool writes) {
    struct webgpu_object *device = buffer->parent;
    SIM_TRY(adi_sim_alloc(device->device.context, ADI_SIM_PINNED, bytes == 0 ? 4 : bytes,
                          &buffer->buffer.range));
    buffer->buffer.map = WEBGPU_MAPPED;
    buffer->buffer.map_offset = offset;
    buffer->buffer.map_bytes = bytes;
    buffer->buffer.map_writes = writes;
    if (bytes == 0) return 0;
    int code = adi_sim_copy(device->device.aside, buffer->buffer.range,
                            (char *)buffer->handle + offset, bytes, ADI_SIM_WAIT);
    if (code != 0) forget_range(buffer);
    return code;
}

/* All before it has run: what the CPU will see is there. */
static int map_now(struct webgpu_object *buffer) {
    int code = make_range(buffer, buffer->buffer.map_offset, buffer->buffer.map_bytes,
                          buffer->buffer.map_writes);
    if (code != 0) webgpu_fail_by(buffer->parent, code, "wgpuBufferMapAsync");
    return code;
}

static void give_up(struct webgpu_object *buffer) {
    if (buffer->buffer.map == WEBGPU_UNMAPPED) return;
    webgpu_wait_abort(buffer);
    forget_range(buffer);
}

static void end(struct webgpu_object *buffer) {
    adi_sim_free_on(buffer->parent->device.queue, buffer->handle);
}

static const struct webgpu_class buffers = {WEBGPU_BUFFER, give_up, end};

static uint64_t in_words(uint64_t size) {
    return size == 0 ? 4 : (size + 3) & ~(uint64_t)3;
}

static struct webgpu_object *create(struct webgpu_object *device, uint64_t usage, uint64_t size,
                                    bool mapped) {
    void *memory;
    const char *why = refuse_to_make(usage, size, mapped);
    if (why != NULL) webgpu_fail(device, WEBGPU_VALIDATION, "wgpuDeviceCreateBuffer: %s", why);
    int code = make_zeros(device, why == NULL ? in_words(size) : 4, &memory);
    if (code != 0) {
        webgpu_fail_by(device, code, "wgpuDeviceCreateBuffer");
        return NULL;
    }
    struct webgpu_object *made = webgpu_object_new(&buffers, device, memory);
    if (made == NULL) {
        adi_sim_free(memory);
        return NULL;
    }
    made->buffer.usage = usage;
    made->buffer.size = size;
    made->buffer.is_invalid = why != NULL;
    if (why == NULL && mapped && make_range(made, 0, size, true) != 0)
        webgpu_fail(device, WEBGPU_OUT_OF_MEMORY, "wgpuDeviceCreateBuffer: no memory to map");
    return made;
}

void *webgpu_buffer_create(const char *name, void *handle, uint64_t usage, uint64_t size,
                           bool mapped) {
    struct webgpu_object *made = NULL;
    if (!webgpu_begin(name, false)) return NULL;
    struct webgpu_object *device = webgpu_find(WEBGPU_DEVICE, handle);
    if (device != NULL) made = create(device, usage, size, mapped);
    webgpu_end();
    return made == NULL ? NULL : made->handle;
}

/* The memory is the buffer's until its last reference is given up, so that no other buffer gets its
 * handle. */
void webgpu_buffer_destroy(const char *name, void *handle) {
    if (!webgpu_begin(name, true)) return;
    struct webgpu_object *buffer = webgpu_find(WEBGPU_BUFFER, handle);
    if (buffer != NULL && buffer->maker != 0 && webgpu_party() == 0) {
        adi_sim_free_on(buffer->parent->device.queue, handle); /* which says what is wrong */
    } else if (buffer != NULL) {
        give_up(buffer);
        buffer->buffer.is_destroyed = true;
    }
    webgpu_end();
}

/* ---- what is asked ---- */

#define ASK(type, question, nothing, answer)                                                       \
    type question(const char *name, void *handle) {                                                \
        type answers = nothing;                                                                    \
        if (!webgpu_begin(name, true)) return answers;                                             \
        const struct webgpu_object *buffer = webgpu_find(WEBGPU_BUFFER, handle);                   \
        if (buffer != NULL) answers = answer;                                                      \
        webgpu_end();                                                                              \
        return answers;                                                                            \
    }

ASK(uint64_t, webgpu_buffer_size, 0, buffer->buffer.size)
ASK(uint64_t, webgpu_buffer_usage, 0, buffer->buffer.usage)
ASK(int, webgpu_buffer_map_state, 0, (int)buffer->buffer.map)

const char *webgpu_buffer_refuses(const struct webgpu_object *device,
                                  const struct webgpu_object *buffer, uint64_t usage,
                                  uint64_t offset, uint64_t size) {
    char *at = (char *)buffer->handle + offset;
    if (buffer->parent != device) {
        /* Of another adapter it is refused, with a name. */
        if (buffer->parent->device.index != device->device.index)
            adi_sim_copy(device->device.queue, buffer->handle, buffer->handle, 0, 0);
        return "a buffer of another device";
    }
    if (buffer->buffer.is_invalid) return "an invalid buffer";
    if ((buffer->buffer.usage & usage) == 0) return "a buffer without the usage for it";
    if (offset > buffer->buffer.size || size > buffer->buffer.size - offset) {
        adi_sim_reach(device->device.queue, at, size);
        return "bytes beyond the end of the buffer";
    }
    if (offset % 4 != 0 || size % 4 != 0) return "an offset or a size that is no multiple of 4";
    return NULL;
}

/* ---- mapping ---- */

static const char *refuse_to_map(const struct webgpu_object *buffer, bool reads, bool writes,
                                 size_t offset, size_t size) {
    uint64_t wanted = reads ? MAP_READ : MAP_WRITE;
    if (reads == writes) return "a mode that there is not";
    if (buffer->buffer.is_invalid || buffer->buffer.is_destroyed) return "no buffer to map";
    if ((buffer->buffer.usage & wanted) == 0) return "a buffer without the usage for it";
    if (buffer->buffer.map != WEBGPU_UNMAPPED) return "it is mapped, or is about to be";
    if (offset % 8 != 0 || size % 4 != 0)
        return "an offset that is no multiple of 8, or a size of 4";
    if (offset > buffer->buffer.size || size > buffer->buffer.size - offset)
        return "bytes beyond the end of the buffer";
    return NULL;
}

uint64_t webgpu_buffer_map(const char *name, void *handle, bool reads, bool writes, size_t offset,
                           size_t size, struct webgpu_callback callback) {
    uint64_t future = 0;
    struct webgpu_news news = {.tells = WEBGPU_TELLS_MAP,
                               .to = callback,
                               .party = webgpu_party(),
                               .status = WEBGPU_FAILED};
    if (!webgpu_begin(name, false)) {
        webgpu_tell(&news);
        return 0;
    }
    struct webgpu_object *buffer = webgpu_find(WEBGPU_BUFFER, handle);
    const char *why = "no buffer";
    if (buffer != NULL) {
        if (size == SIZE_MAX && offset <= buffer->buffer.size)
            size = (size_t)buffer->buffer.size - offset;
        why = refuse_to_map(buffer, reads, writes, offset, size);
        if (why != NULL) webgpu_fail(buffer->parent, WEBGPU_VALIDATION, "%s: %s", name, why);
    }
    if (why == NULL) {
        buffer->buffer.map = WEBGPU_MAP_PENDING;
        buffer->buffer.map_offset = offset;
        buffer->buffer.map_bytes = size;
        buffer->buffer.map_writes = writes;
        future = webgpu_wait_add(buffer->parent, buffer, map_now, callback);
        if (future == 0) buffer->buffer.map = WEBGPU_UNMAPPED;
    }
    if (future == 0) webgpu_later(&news);
    webgpu_end();
    return future;
}

/* wgpu-native gives what was mapped for reading as if it were for writing, too. */
void *webgpu_buffer_range(const char *name, void *handle, size_t offset, size_t size) {
    void *range = NULL;
    if (!webgpu_begin(name, true)) return NULL;
    const struct webgpu_object *buffer = webgpu_find(WEBGPU_BUFFER, handle);
    if (buffer != NULL && buffer->buffer.map == WEBGPU_MAPPED) {
        uint64_t from = buffer->buffer.map_offset, bytes = buffer->buffer.map_bytes;
        if (size == SIZE_MAX && offset >= from && offset - from <= bytes)
            size = (size_t)(bytes - (offset - from));
        if (offset % 8 == 0 && offset >= from && offset - from <= bytes &&
            size <= bytes - (offset - from))
            range = (char *)buffer->buffer.range + (offset - from);
    }
    webgpu_end();
    return range;
}

void webgpu_buffer_unmap(const char *name, void *handle) {
    if (!webgpu_begin(name, true)) return;
    struct webgpu_object *buffer = webgpu_find(WEBGPU_BUFFER, handle);
    if (buffer != NULL && buffer->buffer.map != WEBGPU_UNMAPPED) {
        if (buffer->buffer.map == WEBGPU_MAP_PENDING) webgpu_wait_abort(buffer);
        if (buffer->buffer.range != NULL && buffer->buffer.map_writes &&
            buffer->buffer.map_bytes > 0)
            adi_sim_copy(buffer->parent->device.aside,
                         (char *)buffer->handle + buffer->buffer.map_offset, buffer->buffer.range,
                         buffer->buffer.map_bytes, ADI_SIM_WAIT);
        forget_range(buffer);
    }
    webgpu_end();
}
