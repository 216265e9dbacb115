/* SPDX-License-Identifier: Apache-2.0 */
#include "metal.h"

#include <errno.h>
#include <string.h>

void *base_encode_copy(void *queue, struct base_part to, struct base_part from, int64_t bytes) {
    void *pool = adi_metal_push();
    void *commands = adi_mtl_retain(adi_mtl_commandBuffer(queue));
    void *encoder = adi_mtl_blitCommandEncoder(commands);
    adi_mtl_copy(encoder, from.buffer, from.offset, to.buffer, to.offset, (unsigned long)bytes);
    adi_mtl_endEncoding(encoder);
    adi_metal_pop(pool);
    return commands;
}

void base_copy(void *queue, struct base_part to, struct base_part from, int64_t bytes) {
    void *commands = base_encode_copy(queue, to, from, bytes);
    adi_mtl_commit(commands);
    adi_mtl_release(commands);
}

void base_commit_wait(void *queue, void *event, uint64_t value) {
    void *pool = adi_metal_push();
    void *commands = adi_mtl_commandBuffer(queue);
    adi_mtl_encodeWait(commands, event, value);
    adi_mtl_commit(commands);
    adi_metal_pop(pool);
}

void base_commit_signal(void *queue, void *event, uint64_t value) {
    void *pool = adi_metal_push();
    void *commands = adi_mtl_commandBuffer(queue);
    adi_mtl_encodeSignal(commands, event, value);
    adi_mtl_commit(commands);
    adi_metal_pop(pool);
}

void base_drain(void *queue) {
    void *pool = adi_metal_push();
    void *commands = adi_mtl_commandBuffer(queue);
    adi_mtl_commit(commands);
    adi_mtl_waitUntilCompleted(commands);
    adi_metal_pop(pool);
}

void *base_staged(struct adi_device *device, const void *from, int64_t bytes) {
    return adi_mtl_newBufferOf(base_metal(device)->device, from, (unsigned long)bytes,
                               ADI_METAL_SHARED);
}

/* ---- memory of another kind: the address of the contents ---- */

static void *handles[4096]; /* of those that live; the address is found by what they contain */

static int alloc_contents(struct adi_device *device, int64_t bytes, void **buffer,
                          struct adi_error *error) {
    size_t i = 0;
    while (i < sizeof handles / sizeof *handles && handles[i] != NULL) i++;
    if (i == sizeof handles / sizeof *handles) return adi_error_set(error, ENOMEM, "too many");
    handles[i] =
        adi_mtl_newBuffer(base_metal(device)->device, (unsigned long)bytes, ADI_METAL_SHARED);
    if (handles[i] == NULL) return adi_error_set(error, ENOMEM, "no memory for a buffer");
    *buffer = adi_mtl_contents(handles[i]);
    return 0;
}

static void free_contents(struct adi_device *device, void *buffer) {
    (void)device;
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (handles[i] != NULL && adi_mtl_contents(handles[i]) == buffer) {
            adi_mtl_release(handles[i]);
            handles[i] = NULL;
            return;
        }
}

void base_allocates(enum base_memory memory) {
    if (memory == OF_DEVICE) return;
    base.ops.alloc = alloc_contents;
    base.ops.free = free_contents;
}

/* ---- events ---- */

/* There is no question to an MTLEvent: a queue waits for it. */
void base_event_query(struct adi_device *device, void *handle) {
    base_commit_wait(base_metal(device)->queue, handle, ADI_METAL_VALUE);
}

void base_event_destroy(struct adi_device *device, void *handle) {
    (void)device;
    adi_mtl_release(handle);
}

/* ---- on two queues ---- */

/* What the backend does on its queue it does on another for once. */
static void *exchange(struct adi_device *device, void *queue) {
    void *before = base_metal(device)->queue;
    base_metal(device)->queue = queue;
    return before;
}

int base_write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    static unsigned writes;
    if (++writes % 2 == 0) return base.right.write(device, buffer, offset, from, bytes, error);
    void *before = exchange(device, base_second_queue(device));
    int code = base.right.write(device, buffer, offset, from, bytes, error);
    exchange(device, before);
    return code;
}

/* ---- on the queue that the harness lends ---- */

static void *lent(struct adi_device *device) {
    return base_lent(device->id, "metal.queue");
}

int base_read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    void *before = exchange(device, lent(device));
    int code = base.right.read(device, buffer, offset, to, bytes, error);
    exchange(device, before);
    return code;
}

int base_wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return base.right.wait_on(device, lent(device), sync_event, error);
}

const struct base_kind base_kind = {
    .name = "metal base", .device = &adi_device_metal, .library = "metal.library"};
