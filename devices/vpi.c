/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory with a DMA engine, simulated from SystemVerilog (sim/vpi). The type has no events, and
 * time stands still unless the model is ticked, which only `event`, `read`, `resume` and a full
 * queue do: who exports before that shows old bytes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "devices.h"
#include "vpi_interceptor.h"
#include "vpi_memory.h"
#include "vpi_model.h"

#define QUEUE_BYTES (1024 * 1024) /* a queue that is not paused keeps no more than this back */
#define JOB_BYTES   (64 * 1024)

struct job {
    struct job *next;
    uint64_t address, bytes;
    uint8_t data[];
};

struct state {
    struct adi_vpi_driver driver; /* first: it is what `native_handle` hands out */
    struct adi_vpi_model *model;
    struct adi_vpi_memory *memory;
    struct job *first, **last;
    uint64_t queued; /* bytes */
    bool is_paused;
};

/* How many there are on a model. Under the lock. */
static int states[ADI_VPI_MODELS];

static uint64_t address_of(const void *buffer) {
    return (uint64_t)(uintptr_t)buffer;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* ---- the queue; under the lock ---- */

/* How much of that lies in the page of its beginning. */
static uint64_t piece(uint64_t address, uint64_t bytes) {
    return least(bytes, ADI_VPI_PAGE - address % ADI_VPI_PAGE);
}

static int run_bytes(struct state *state, uint64_t address, const uint8_t *from, uint64_t bytes,
                     struct adi_error *error) {
    for (uint64_t done = 0, n; done < bytes; done += n) {
        n = piece(address + done, bytes - done);
        ADI_TRY(adi_vpi_stage(state->model, address + done, from + done, n, error));
        ADI_TRY(adi_vpi_dma(state->model, ADI_VPI_DMA_WRITE, address + done, n, error));
    }
    return 0;
}

static void drop_first(struct state *state) {
    struct job *job = state->first;
    state->first = job->next;
    if (state->first == NULL) state->last = &state->first;
    state->queued -= job->bytes;
    adi_vpi_queued(state->memory, -1);
    free(job);
}

/* Runs the oldest jobs until no more than `most` bytes are left. What comes behind a job that
 * failed is dropped with it. */
static int run_queue(struct state *state, uint64_t most, struct adi_error *error) {
    int code = 0;
    while (state->first != NULL && (state->queued > most || code != 0)) {
        const struct job *job = state->first;
        if (code == 0) code = run_bytes(state, job->address, job->data, job->bytes, error);
        drop_first(state);
    }
    return code;
}

static void sweep(int id) {
    struct adi_vpi_model *model;
    if (adi_vpi_model(id, &model, NULL) == 0) adi_vpi_sweep(adi_vpi_memory(id), model);
}

static int drain(struct state *state, struct adi_error *error) {
    int code = run_queue(state, 0, error);
    sweep(state->driver.id);
    return code;
}

static int enqueue(struct state *state, uint64_t address, const uint8_t *from, uint64_t bytes,
                   struct adi_error *error) {
    for (uint64_t done = 0, n; done < bytes; done += n) {
        n = least(bytes - done, JOB_BYTES);
        struct job *job = malloc(sizeof *job + n);
        if (job == NULL)
            return adi_error_set(error, ENOMEM, "no memory to queue %" PRIu64 " bytes", n);
        *job = (struct job){NULL, address + done, n};
        memcpy(job->data, from + done, n);
        *state->last = job;
        state->last = &job->next;
        state->queued += n;
        adi_vpi_queued(state->memory, 1);
    }
    return 0;
}

/* What a full queue pushes out is run from where it lies. */
static int write_behind(struct state *state, uint64_t address, const uint8_t *from, uint64_t bytes,
                        struct adi_error *error) {
    uint64_t kept = state->is_paused ? bytes : least(bytes, QUEUE_BYTES), now = bytes - kept;
    if (!state->is_paused) ADI_TRY(run_queue(state, QUEUE_BYTES - kept, error));
    ADI_TRY(run_bytes(state, address, from, now, error));
    return enqueue(state, address + now, from + now, kept, error);
}

static int allocate(struct state *state, int64_t bytes, uint64_t *address,
                    struct adi_error *error) {
    sweep(state->driver.id);
    return adi_vpi_allocate(state->memory, bytes, adi_caller_party() == 1, address, error);
}

/* ---- what other drivers of the model in this process call ---- */

static int driver_alloc(const struct adi_vpi_driver *driver, int64_t bytes, uint64_t *address) {
    adi_vpi_lock();
    int code =
        adi_vpi_allocate(adi_vpi_memory(driver->id), bytes, adi_caller_party() == 1, address, NULL);
    adi_vpi_unlock();
    return code;
}

/* The memory is poison from then on; at the next sweep where this thread may not touch a model. */
static void driver_free(const struct adi_vpi_driver *driver, uint64_t address) {
    int id = driver->id;
    adi_vpi_lock();
    bool is_busy = adi_vpi_is_busy_at(id, address, false);
    if (is_busy) adi_vpi_freed_early(id);
    int code = adi_vpi_release(adi_vpi_memory(id), address, adi_caller_party() == 1);
    if (adi_vpi_is_here()) sweep(id);
    adi_vpi_unlock();
    const char *what = code == ENOENT  ? "no allocation begins there"
                       : code == EPERM ? "somebody else allocated it"
                       : is_busy       ? "the engine has a command on it that is not done"
                                       : NULL;
    if (what != NULL)
        adi_misused(code == EPERM ? ADI_MISUSE_NOT_OWNED : ADI_MISUSE_DEAD, false,
                    "free(0x%" PRIx64 ") of vpi:%d: %s", address, id, what);
}

/* ---- the table ---- */

static void probe(struct adi_device_probe *out) {
    *out = (struct adi_device_probe){.runtime = "simulated"};
    adi_vpi_lock();
    if (adi_vpi_load(&out->why) == 0)
        for (; out->count < ADI_VPI_MODELS; out->count++) out->ids[out->count] = out->count;
    adi_vpi_unlock();
}

/* No host memory shall come to lie where the map is, so that an address that is taken for a host
 * pointer faults. Where there is something already, the registry still tells them apart. */
static void close_the_map_to_the_host(void) {
    static void *closed;
    if (closed == NULL)
        closed = mmap((void *)(uintptr_t)ADI_VPI_BASE, ADI_VPI_BYTES, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

static int open_device(int64_t id, struct adi_device *out, struct adi_error *error) {
    struct adi_vpi_model *model;
    struct state *state = malloc(sizeof *state);
    if (state == NULL) return adi_error_set(error, ENOMEM, "no memory for a device");
    adi_vpi_lock();
    int code = adi_vpi_model(id, &model, error);
    if (code == 0) {
        close_the_map_to_the_host();
        adi_vpi_watch((int)id, model);
        *state = (struct state){
            {sizeof state->driver, (int32_t)id, adi_vpi_library(), driver_alloc, driver_free},
            .model = model,
            .memory = adi_vpi_memory((int)id),
            .last = &state->first};
        states[id]++;
        *out = (struct adi_device){&adi_device_vpi, id, state};
    }
    adi_vpi_unlock();
    if (code != 0) free(state);
    return code;
}

static void close_device(struct adi_device *device) {
    struct state *state = device->state;
    adi_vpi_lock();
    while (state->first != NULL) drop_first(state);
    if (--states[device->id] == 0) adi_vpi_release_all(state->memory);
    sweep(state->driver.id);
    adi_vpi_unlock();
    free(state);
}

static int alloc(struct adi_device *device, int64_t bytes, void **buffer, struct adi_error *error) {
    uint64_t address;
    adi_vpi_lock();
    int code = allocate(device->state, bytes, &address, error);
    adi_vpi_unlock();
    if (code == 0) *buffer = (void *)(uintptr_t)address;
    return code;
}

static void free_buffer(struct adi_device *device, void *buffer) {
    struct state *state = device->state;
    driver_free(&state->driver, address_of(buffer));
}

static int write_queued(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                        int64_t bytes, struct adi_error *error) {
    struct state *state = device->state;
    if (bytes == 0) return 0;
    adi_vpi_lock();
    int code = adi_vpi_check(state->memory, address_of(buffer), offset, bytes, error);
    if (code == 0)
        code = write_behind(state, address_of(buffer) + (uint64_t)offset, from, (uint64_t)bytes,
                            error);
    adi_vpi_unlock();
    return code;
}

/* Looking takes no time, so it can be done while the queue is paused. */
static int read_back(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                     int64_t bytes, struct adi_error *error) {
    struct state *state = device->state;
    if (bytes == 0) return 0;
    adi_vpi_lock();
    int code = adi_vpi_check(state->memory, address_of(buffer), offset, bytes, error);
    if (code == 0 && !state->is_paused) code = drain(state, error);
    uint64_t from = address_of(buffer) + (uint64_t)offset;
    for (uint64_t done = 0, n; code == 0 && done < (uint64_t)bytes; done += n) {
        n = piece(from + done, (uint64_t)bytes - done);
        adi_vpi_peek(state->model, from + done, (char *)to + done, n);
    }
    adi_vpi_unlock();
    return code;
}

/* There is nothing to wait for later, so a pause does not keep what is queued from running now. */
static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    adi_vpi_lock();
    int code = drain(device->state, error);
    adi_vpi_unlock();
    *sync_event = NULL;
    return code;
}

static int wait_for(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device;
    (void)sync_event;
    (void)error;
    return 0;
}

static void event_free(struct adi_device *device, void *sync_event) {
    (void)device;
    (void)sync_event;
}

static int set_paused(struct adi_device *device, bool paused, struct adi_error *error) {
    struct state *state = device->state;
    adi_vpi_lock();
    int code = state->is_paused == paused ? 0 : drain(state, error);
    state->is_paused = paused;
    adi_vpi_unlock();
    return code;
}

static int pause_queue(struct adi_device *device, struct adi_error *error) {
    return set_paused(device, true, error);
}

static int resume_queue(struct adi_device *device, struct adi_error *error) {
    return set_paused(device, false, error);
}

static bool accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    struct state *state = device->state;
    adi_vpi_lock();
    int code = adi_vpi_check(state->memory, address_of(buffer), 0, 0, why);
    adi_vpi_unlock();
    return code == 0;
}

static int checksum(struct adi_device *device, const void *buffer, int64_t offset, int64_t bytes,
                    uint64_t *sum, struct adi_error *error) {
    struct state *state = device->state;
    *sum = 0;
    if (bytes == 0) return 0;
    adi_vpi_lock();
    int code = adi_vpi_check(state->memory, address_of(buffer), offset, bytes, error);
    if (code == 0) code = drain(state, error);
    uint64_t at = address_of(buffer) + (uint64_t)offset, end = at + (uint64_t)bytes;
    for (uint64_t n; code == 0 && at < end; at += n) {
        n = piece(at, end - at);
        code = adi_vpi_dma(state->model, ADI_VPI_DMA_SUM, at, n, error);
        if (code == 0) *sum += adi_vpi_sum(state->model);
    }
    adi_vpi_unlock();
    return code;
}

static const struct adi_interceptor *interceptor(void) {
    return &adi_vpi_interceptor;
}

static const void *native_handle(struct adi_device *device, const char *what) {
    struct state *state = device->state;
    return strcmp(what, "vpi.driver") == 0 ? &state->driver : NULL;
}

/* In the memory map of the model. */
static bool is_address(struct adi_device *device, const void *buffer) {
    (void)device, (void)buffer;
    return true;
}

const struct adi_device_ops adi_device_vpi = {
    .size = sizeof adi_device_vpi,
    .type = ARROW_DEVICE_VPI,
    .name = "vpi",
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
};
