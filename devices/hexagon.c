/* SPDX-License-Identifier: Apache-2.0
 *
 * DSPs that run a program of ours (devices/hexagon/dsp.c) under qemu-hexagon. A buffer value is an
 * address of the DSP. The type has no events, and a queue runs only when somebody waits for it: who
 * exports before that shows old bytes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "devices.h"
#include "hexagon_dsp.h"
#include "hexagon_internal.h"

struct state {
    struct adi_hexagon_handle own, lent; /* what the harness uses, and what others do */
};

static struct adi_hexagon_queue *queue_of(const struct adi_device *device) {
    return &((struct state *)device->state)->own.queue;
}

static uint64_t address_of(const void *buffer) {
    return (uint64_t)(uintptr_t)buffer;
}

static void probe(struct adi_device_probe *out) {
    *out = (struct adi_device_probe){.runtime = "qemu-hexagon"};
    adi_hexagon_lock();
    if (adi_hexagon_find(&out->runtime, &out->why, &out->why) == 0)
        for (; out->count < ADI_HEXAGON_DSPS; out->count++) out->ids[out->count] = out->count;
    adi_hexagon_unlock();
}

/* No host memory shall come to lie where the DSPs have theirs, so that an address that is taken for
 * a host pointer faults. Where there is something already, the books still tell them apart. */
static void close_the_map_to_the_host(void) {
    static void *closed;
    if (closed == NULL)
        closed = mmap((void *)(uintptr_t)ADI_HEXAGON_BASE(0),
                      (size_t)ADI_HEXAGON_DSPS * ADI_HEXAGON_BYTES, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    struct state *state = malloc(sizeof *state);
    if (state == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    int code = adi_hexagon_handle_open(&state->own, id, false, error);
    if (code != 0) goto no_queue;
    code = adi_hexagon_handle_open(&state->lent, id, false, error);
    if (code != 0) goto no_second;
    close_the_map_to_the_host();
    *out = (struct adi_device){&adi_device_hexagon, id, state};
    return 0;

no_second:
    adi_hexagon_handle_close(&state->own);
no_queue:
    free(state);
    return code;
}

static void close_device(struct adi_device *device) {
    struct state *state = device->state;
    adi_hexagon_handle_close(&state->lent);
    adi_hexagon_handle_close(&state->own);
    free(state);
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    uint32_t address;
    adi_hexagon_lock();
    int code =
        adi_hexagon_allocate((int)device->id, bytes, adi_caller_party() == 1, &address, error);
    adi_hexagon_unlock();
    if (code == 0) *buffer = (void *)(uintptr_t)address;
    return code;
}

static void free_buffer(struct adi_device *device, void *buffer) {
    struct state *state = device->state;
    if (adi_hexagon_id_of(address_of(buffer)) < 0) return;
    state->own.driver.free(&state->own.driver, (uint32_t)address_of(buffer));
}

static int write_queued(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    struct adi_hexagon_queue *queue = queue_of(device);
    uint64_t address = address_of(buffer);
    if (bytes == 0) return 0;
    adi_hexagon_lock();
    int code = adi_hexagon_check(queue->id, address, offset, bytes, error);
    const struct adi_hexagon_job job = {.kind = ADI_HEXAGON_IN,
                                        .to = (uint32_t)(address + (uint64_t)offset),
                                        .bytes = (uint32_t)bytes};
    if (code == 0) adi_hexagon_say_command(queue, "write", job.to, true);
    if (code == 0) code = adi_hexagon_enqueue(queue, &job, from, error);
    adi_hexagon_unlock();
    return code;
}

/* Looking needs nothing of the queue, so it can be done while that is paused. */
static int read_back(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                     int64_t bytes, struct adi_error *error) {
    struct adi_hexagon_queue *queue = queue_of(device);
    uint64_t address = address_of(buffer);
    if (bytes == 0) return 0;
    adi_hexagon_lock();
    int code = adi_hexagon_check(queue->id, address, offset, bytes, error);
    if (code == 0 && !queue->is_paused) code = adi_hexagon_run(queue, error);
    if (code == 0)
        code = adi_hexagon_fetch(queue->id, to, (uint32_t)(address + (uint64_t)offset),
                                 (uint64_t)bytes, error);
    adi_hexagon_unlock();
    return code;
}

/* There is nothing to wait for later, so a pause does not keep what is queued from running now. */
static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    struct adi_hexagon_queue *queue = queue_of(device);
    adi_hexagon_lock();
    int code = adi_hexagon_run(queue, error);
    adi_hexagon_say_wait(queue);
    adi_hexagon_unlock();
    *sync_event = NULL;
    return code;
}

static int wait_for(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device, (void)sync_event;
}

static int set_paused(struct adi_device *device, bool paused, struct adi_error *error) {
    struct adi_hexagon_queue *queue = queue_of(device);
    adi_hexagon_lock();
    int code = queue->is_paused == paused ? 0 : adi_hexagon_run(queue, error);
    queue->is_paused = paused;
    adi_hexagon_unlock();
    return code;
}

static int pause_queue(struct adi_device *device, struct adi_error *error) {
    return set_paused(device, true, error);
}

static int resume_queue(struct adi_device *device, struct adi_error *error) {
    return set_paused(device, false, error);
}

static bool accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    adi_hexagon_lock();
    int code = adi_hexagon_check((int)device->id, address_of(buffer), 0, 0, why);
    adi_hexagon_unlock();
    return code == 0;
}

static int checksum(struct adi_device *device, const void *buffer, int64_t offset, int64_t bytes,
                    uint64_t *sum, struct adi_error *error) {
    struct adi_hexagon_queue *queue = queue_of(device);
    uint64_t address = address_of(buffer);
    *sum = 0;
    if (bytes == 0) return 0;
    adi_hexagon_lock();
    int code = adi_hexagon_check(queue->id, address, offset, bytes, error);
    if (code == 0) code = adi_hexagon_run(queue, error);
    if (code == 0)
        code = adi_hexagon_add_up(queue->id, (uint32_t)(address + (uint64_t)offset),
                                  (uint64_t)bytes, sum, error);
    adi_hexagon_unlock();
    return code;
}

static const struct adi_interceptor *interceptor(void) {
    return &adi_hexagon_interceptor;
}

static const void *native_handle(struct adi_device *device, const char *what) {
    const struct state *state = device->state;
    return strcmp(what, "hexagon.driver") == 0 ? &state->lent.driver : NULL;
}

static bool is_lost(struct adi_device *device, struct adi_error *why) {
    adi_hexagon_lock();
    bool lost = !adi_hexagon_runs((int)device->id);
    if (lost) adi_hexagon_say_lost((int)device->id, why);
    adi_hexagon_unlock();
    return lost;
}

/* Of the DSP's own memory. */
static bool is_address(struct adi_device *device, const void *buffer) {
    (void)device, (void)buffer;
    return true;
}

const struct adi_device_ops adi_device_hexagon = {
    .size = sizeof adi_device_hexagon,
    .type = ARROW_DEVICE_HEXAGON,
    .name = "hexagon",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .free = free_buffer,
    .write = write_queued,
    .read = read_back,
    .event = event,
    .wait = wait_for,
    .wait_host = wait_for,
    .event_free = event_free,
    .pause = pause_queue,
    .resume = resume_queue,
    .accessible = accessible,
    .checksum = checksum,
    .native_handle = native_handle,
    .interceptor = interceptor,
    .is_address = is_address,
    .is_lost = is_lost,
};
