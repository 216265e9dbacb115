/* SPDX-License-Identifier: Apache-2.0
 *
 * A command that was started and not ticked to its end is to this device what a queued one is to
 * others: it has not happened, and will not by itself.
 */
#include "vpi_interceptor.h"

#include <pthread.h>

static struct adi_vpi_model *models[ADI_VPI_MODELS];
static pthread_t watcher;

void adi_vpi_watch(int id, struct adi_vpi_model *model) {
    models[id] = model;
    adi_vpi_model_tell(adi_vpi_seen);
    watcher = pthread_self();
}

bool adi_vpi_is_here(void) {
    return pthread_equal(watcher, pthread_self());
}

/* The command that the engine has been given, if it is not done and does that. */
static bool find_command(int id, bool writes_only, uint64_t *at, uint64_t *bytes) {
    enum adi_vpi_dma_command command;
    return models[id] != NULL && adi_vpi_is_here() &&
           adi_vpi_in_flight(models[id], &command, at, bytes) &&
           (command == ADI_VPI_DMA_WRITE || !writes_only);
}

/* On these bytes; none: on the whole allocation. */
static bool is_busy_in(int id, uint64_t address, uint64_t n, bool writes_only) {
    uint64_t at, bytes;
    bool found = find_command(id, writes_only, &at, &bytes) &&
                 adi_vpi_is_together(adi_vpi_memory(id), address, at) &&
                 (n == 0 || (at < address + n && address < at + bytes));
    if (found && adi_vpi_is_only_started(models[id])) adi_vpi_trace_started(id, writes_only, at);
    return found;
}

bool adi_vpi_is_busy_at(int id, uint64_t address, bool writes_only) {
    return is_busy_in(id, address, 0, writes_only);
}

/* There are no queues to stop: time stands still anyway. */
static void pause_queues(bool implementation) {
    (void)implementation;
}

static void resume_queues(void) {}

static bool is_busy_anywhere(const void *buffer, int64_t offset, int64_t bytes, bool writes_only) {
    uint64_t address = (uint64_t)(uintptr_t)buffer + (uint64_t)offset;
    bool found = false;
    adi_vpi_lock();
    for (int id = 0; id < ADI_VPI_MODELS && !found; id++)
        found = is_busy_in(id, address, (uint64_t)bytes, writes_only);
    adi_vpi_unlock();
    return found;
}

static bool pending(const void *object) {
    return is_busy_anywhere(object, 0, 0, true);
}

static bool used(const void *buffer) {
    return is_busy_anywhere(buffer, 0, 0, false);
}

static bool pending_in(const void *buffer, int64_t offset, int64_t bytes) {
    return is_busy_anywhere(buffer, offset, bytes, true);
}

static bool used_in(const void *buffer, int64_t offset, int64_t bytes) {
    return is_busy_anywhere(buffer, offset, bytes, false);
}

static size_t references(void) {
    size_t n = 0;
    adi_vpi_lock();
    for (int id = 0; id < ADI_VPI_MODELS; id++) n += adi_vpi_allocations(adi_vpi_memory(id));
    adi_vpi_unlock();
    return n;
}

/* Only this thread may touch a model. */
static void settle(void) {
    adi_vpi_lock();
    for (int id = 0; id < ADI_VPI_MODELS && adi_vpi_is_here(); id++)
        if (models[id] != NULL) adi_vpi_sweep(adi_vpi_memory(id), models[id]);
    adi_vpi_unlock();
}

static bool closed(const void *address) {
    return (uintptr_t)address - ADI_VPI_BASE < ADI_VPI_BYTES;
}

const struct adi_interceptor adi_vpi_interceptor = {
    .size = sizeof adi_vpi_interceptor,
    .enter = adi_caller_enter,
    .subscribe = adi_misuse_subscribe,
    .pause = pause_queues,
    .resume = resume_queues,
    .pending = pending,
    .used = used,
    .references = references,
    .closed = closed,
    .trace = adi_line_subscribe,
    .name_of = adi_vpi_name_of,
    .pending_in = pending_in,
    .used_in = used_in,
    .settle = settle,
};
