/* SPDX-License-Identifier: Apache-2.0 */
#include "ext_dev.h"

static enum adi_sim_memory memory_of_buffers;

adi_sim_context base_context(struct adi_device *device) {
    return (adi_sim_context)(uintptr_t)base.right.native_handle(device, "ext_dev.context");
}

adi_sim_queue base_queue(struct adi_device *device) {
    return (adi_sim_queue)(uintptr_t)base.right.native_handle(device, "ext_dev.queue");
}

/* ---- memory of another kind ---- */

static int alloc_other(struct adi_device *device, int64_t bytes, void **buffer,
                       struct adi_error *error) {
    int code = SIM(alloc)(base_context(device), memory_of_buffers, (size_t)bytes, buffer);
    return code == 0 ? 0 : adi_error_set(error, code, "no memory for a buffer");
}

static void free_other(struct adi_device *device, void *buffer) {
    SIM(queue_sync)(base_queue(device));
    SIM(free)(buffer);
}

void base_allocates(enum base_memory memory) {
    static const enum adi_sim_memory kinds[] = {
        [OF_DEVICE] = ADI_SIM_DEVICE, [PINNED] = ADI_SIM_PINNED, [MANAGED] = ADI_SIM_MANAGED};
    memory_of_buffers = kinds[memory];
    base.ops.alloc = alloc_other;
    base.ops.free = free_other;
}

/* ---- events ---- */

void base_event_query(struct adi_device *device, void *handle) {
    (void)device;
    SIM(event_query)(handle);
}

void base_event_destroy(struct adi_device *device, void *handle) {
    (void)device;
    SIM(event_destroy)(handle);
}

/* ---- on two queues ---- */

int base_write_in_turns(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    static unsigned writes;
    if (++writes % 2 == 0) return base.right.write(device, buffer, offset, from, bytes, error);
    return SIM(copy)(base_second_queue(device), (char *)buffer + offset, from, (size_t)bytes, 0);
}

/* ---- on the queue that the harness lends ---- */

static adi_sim_queue lent(struct adi_device *device) {
    return base_lent(device->id, "ext_dev.queue");
}

int base_read_on_lent(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                      int64_t bytes, struct adi_error *error) {
    (void)error;
    if (bytes == 0) return 0;
    return SIM(copy)(lent(device), to, (const char *)buffer + offset, (size_t)bytes, ADI_SIM_WAIT);
}

int base_wait_on_lent(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)error;
    if (sync_event == NULL) return 0;
    return SIM(event_wait)(lent(device), *(adi_sim_event *)sync_event);
}

const struct base_kind base_kind = {
    .name = "ext_dev base", .device = &adi_device_ext_dev, .library = "ext_dev.library"};
