/* SPDX-License-Identifier: Apache-2.0
 *
 * A buffer value is a pointer into memory of the simulation, sync_event an adi_sim_event *
 * (docs/simulation.md).
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "extent.h"
#include "host.h"
#include "sim_engine.h"

static const struct adi_sim *sim;

static int load(struct adi_error *error) {
    sim = adi_sim_load(error);
    return sim == NULL ? ENODEV : 0;
}

/* ---- the device ---- */

struct ext_dev {
    adi_sim_context context;
    adi_sim_queue queue;
};

static int check(int code, const char *call, struct adi_error *error) {
    return code == 0 ? 0 : adi_error_set(error, code, "adi_sim_%s: %s", call, strerror(code));
}

static adi_sim_queue queue_of(const struct adi_device *device) {
    return ((const struct ext_dev *)device->state)->queue;
}

static void probe(struct adi_device_probe *out) {
    *out = (struct adi_device_probe){.runtime = "simulated"};
    if (load(&out->why) != 0) return;
    for (; out->count < ADI_SIM_DEVICES; out->count++) out->ids[out->count] = out->count;
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    ADI_TRY(load(error));
    if (id < 0 || id >= ADI_SIM_DEVICES)
        return adi_error_set(error, ENODEV, "there is no ext_dev:%" PRId64 ", only 0 to %d", id,
                             ADI_SIM_DEVICES - 1);
    struct ext_dev *state = malloc(sizeof *state);
    if (state == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    int code = check(sim->context_open("ext_dev", (int)id, &state->context), "context_open", error);
    if (code != 0) goto no_context;
    code = check(sim->queue_create(state->context, 0, &state->queue), "queue_create", error);
    if (code != 0) goto no_queue;
    *out = (struct adi_device){&adi_device_ext_dev, id, state};
    return 0;

no_queue:
    sim->context_close(state->context);
no_context:
    free(state);
    return code;
}

static void close_device(struct adi_device *device) {
    struct ext_dev *state = device->state;
    sim->queue_destroy(state->queue);
    sim->context_close(state->context);
    free(state);
}

/* ---- memory ---- */

static int alloc_in(const struct adi_device *device, enum adi_sim_memory memory, int64_t bytes,
                    void **buffer, struct adi_error *error) {
    const struct ext_dev *state = device->state;
    if (bytes <= 0 || (uint64_t)bytes > SIZE_MAX)
        return adi_error_set(error, EINVAL, "a buffer of %" PRId64 " bytes", bytes);
    return check(sim->alloc(state->context, memory, (size_t)bytes, buffer), "alloc", error);
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    return alloc_in(device, ADI_SIM_DEVICE, bytes, buffer, error);
}

/* In the order of the queue: what is queued keeps its memory. */
static void free_buffer(struct adi_device *device, void *buffer) {
    sim->free_on(queue_of(device), buffer);
}

static int alloc_visible(struct adi_device *device, int64_t bytes, void **buffer,
                         struct adi_error *error) {
    return alloc_in(device, ADI_SIM_PINNED, bytes, buffer, error);
}

static void free_visible(struct adi_device *device, void *buffer) {
    (void)device;
    sim->free(buffer);
}

/* Do the bytes lie within one allocation that the device can reach? */
static int find_bytes(const struct adi_device *device, const void *buffer, int64_t offset,
                      int64_t bytes, struct adi_error *error) {
    struct adi_sim_found found;
    if (offset < 0 || bytes < 0 || sim->find(buffer, &found) != 0)
        return adi_error_set(error, EFAULT, "%p is no memory of the simulation", buffer);
    if (found.memory == ADI_SIM_DEVICE &&
        (strcmp(found.family, "ext_dev") != 0 || found.device != device->id))
        return adi_error_set(error, EFAULT, "%p is memory of %s:%d, not of ext_dev:%" PRId64,
                             buffer, found.family, found.device, device->id);
    uint64_t before = (uint64_t)((const char *)buffer - (const char *)found.start);
    uint64_t behind = found.bytes - before;
    return adi_extent_check(buffer, behind, offset, bytes, error);
}

static int write_queued(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    ADI_TRY(find_bytes(device, buffer, offset, bytes, error));
    return check(sim->copy(queue_of(device), (char *)buffer + offset, from, (size_t)bytes, 0),
                 "copy", error);
}

static int read_back(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                     int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    ADI_TRY(find_bytes(device, buffer, offset, bytes, error));
    return check(
        sim->copy(queue_of(device), to, (const char *)buffer + offset, (size_t)bytes, ADI_SIM_WAIT),
        "copy", error);
}

static bool accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    return find_bytes(device, buffer, 0, 0, why) == 0;
}

static void add_bytes(const struct adi_sim_operand *operands, void *unused) {
    const unsigned char *bytes = operands[0].pointer;
    uint64_t sum = 0;
    (void)unused;
    for (size_t i = 0; i < operands[0].bytes; i++) sum += bytes[i];
    memcpy(operands[1].pointer, &sum, sizeof sum);
}

static int checksum(struct adi_device *device, const void *buffer, int64_t offset, int64_t bytes,
                    uint64_t *sum, struct adi_error *error) {
    void *result;
    *sum = 0;
    if (bytes == 0) return 0;
    ADI_TRY(find_bytes(device, buffer, offset, bytes, error));
    ADI_TRY(alloc(device, sizeof *sum, &result, error));
    struct adi_sim_operand operands[] = {{(char *)(uintptr_t)buffer + offset, (size_t)bytes, false},
                                         {result, sizeof *sum, true}};
    int code = check(sim->launch(queue_of(device), add_bytes, NULL, operands, 2), "launch", error);
    if (code == 0) code = read_back(device, result, 0, sum, sizeof *sum, error);
    free_buffer(device, result);
    return code;
}

/* ---- events and queues ---- */

static int record_on(struct adi_device *device, void *queue, void **sync_event,
                     struct adi_error *error) {
    const struct ext_dev *state = device->state;
    adi_sim_event *event = malloc(sizeof *event);
    if (event == NULL) return adi_error_set(error, ENOMEM, "no memory for an event");
    int code = check(sim->event_create(state->context, event), "event_create", error);
    if (code != 0) goto no_event;
    code = check(sim->event_record(*event, queue), "event_record", error);
    if (code != 0) goto not_recorded;
    *sync_event = event;
    return 0;

not_recorded:
    sim->event_destroy(*event);
no_event:
    free(event);
    return code;
}

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    return record_on(device, queue_of(device), sync_event, error);
}

static int record_again(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return check(sim->event_record(*(adi_sim_event *)sync_event, queue_of(device)), "event_record",
                 error);
}

/* Whatever somebody else hands out as one: EINVAL if it is none. */
static int handle_of(const void *sync_event, adi_sim_event *out, struct adi_error *error) {
    if (adi_host_read(sync_event, 0, out, sizeof *out, NULL) == 0) return 0;
    return adi_error_set(error, EINVAL, "sync_event does not point to an event");
}

static int check_event(int code, const char *call, struct adi_error *error) {
    if (code != EBADF) return check(code, call, error);
    return adi_error_set(error, EINVAL, "sync_event points to no live event (adi_sim_%s)", call);
}

static int wait_on(struct adi_device *device, void *queue, void *sync_event,
                   struct adi_error *error) {
    adi_sim_event event;
    (void)device;
    if (sync_event == NULL) return 0;
    ADI_TRY(handle_of(sync_event, &event, error));
    return check_event(sim->event_wait(queue, event), "event_wait", error);
}

static int wait_queued(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return wait_on(device, queue_of(device), sync_event, error);
}

static int wait_host(struct adi_device *device, void *sync_event, struct adi_error *error) {
    adi_sim_event event;
    (void)device;
    if (sync_event == NULL) return 0;
    ADI_TRY(handle_of(sync_event, &event, error));
    return check_event(sim->event_sync(event), "event_sync", error);
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device;
    sim->event_destroy(*(adi_sim_event *)sync_event);
    free(sync_event);
}

static int queue_open(struct adi_device *device, void **queue, struct adi_error *error) {
    const struct ext_dev *state = device->state;
    adi_sim_queue made;
    ADI_TRY(check(sim->queue_create(state->context, 0, &made), "queue_create", error));
    *queue = made;
    return 0;
}

static void queue_close(struct adi_device *device, void *queue) {
    (void)device;
    sim->queue_destroy(queue);
}

static int pause_queue(struct adi_device *device, struct adi_error *error) {
    return check(sim->queue_hold(queue_of(device), true), "queue_hold", error);
}

static int resume_queue(struct adi_device *device, struct adi_error *error) {
    return check(sim->queue_hold(queue_of(device), false), "queue_hold", error);
}

/* Whoever shares the device must load the very same engine. */
static const char *library_path(void) {
    Dl_info info;
    return dladdr(*(void **)(void *)&sim->copy, &info) == 0 ? NULL : info.dli_fname;
}

static const void *native_handle(struct adi_device *device, const char *what) {
    const struct ext_dev *state = device->state;
    if (strcmp(what, "ext_dev.context") == 0) return state->context;
    if (strcmp(what, "ext_dev.queue") == 0) return state->queue;
    if (strcmp(what, "ext_dev.library") == 0) return library_path();
    return NULL;
}

static bool is_address(struct adi_device *device, const void *buffer) {
    struct adi_sim_found found;
    (void)device;
    return sim->find(buffer, &found) == 0;
}

static const struct adi_interceptor *interceptor(void) {
    return load(NULL) == 0 ? adi_sim_interceptor() : NULL;
}

const struct adi_device_ops adi_device_ext_dev = {
    .size = sizeof adi_device_ext_dev,
    .type = ARROW_DEVICE_EXT_DEV,
    .name = "ext_dev",
    .probe = probe,
    .open = open_device,
    .close = close_device,
    .alloc = alloc,
    .free = free_buffer,
    .write = write_queued,
    .read = read_back,
    .event = event,
    .wait = wait_queued,
    .wait_host = wait_host,
    .event_free = event_free,
    .queue_open = queue_open,
    .queue_close = queue_close,
    .record_on = record_on,
    .wait_on = wait_on,
    .pause = pause_queue,
    .resume = resume_queue,
    .accessible = accessible,
    .checksum = checksum,
    .native_handle = native_handle,
    .interceptor = interceptor,
    .is_address = is_address,
    .record_again = record_again,
    .alloc_visible = alloc_visible,
    .free_visible = free_visible,
};
