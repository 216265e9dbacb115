/* SPDX-License-Identifier: Apache-2.0
 *
 * SYCL frees at once, and reads what it copies from the host when the copy runs. So the device
 * keeps its writes, in the order of its queue, each with what it reads, until something has waited
 * for them: a read, the end of an event behind them, or the free of what they write.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "extent.h"
#include "oneapi_internal.h"
#include "sim_engine.h"

#define ALIGNMENT 256                /* as DLPack asks */
#define MOST      1024               /* writes that are kept; then the oldest is waited for */
#define LARGE     (INT64_C(1) << 20) /* bytes of a write that is waited for, and not kept */

/* One write, or (`staging` NULL) an event that was handed out behind those before. */
struct adi_oneapi_write {
    adi_sycl_event event;
    void *staging;
    const char *to;
};

/* ---- what is kept ---- */

/* Of all up to number `n`, the last of which is complete. */
static void end_writes(struct adi_oneapi *oneapi, size_t n) {
    if (n == 0) return;
    for (size_t i = 0; i < n; i++) {
        struct adi_oneapi_write *write = &oneapi->writes[i];
        if (write->staging != NULL) oneapi->api->Event_Delete(write->event);
        free(write->staging);
    }
    oneapi->n_writes -= n;
    memmove(oneapi->writes, oneapi->writes + n, oneapi->n_writes * sizeof *oneapi->writes);
}

/* Waits for the first `n`: the queue is in order. With the lock. */
static void await_writes(struct adi_oneapi *oneapi, size_t n) {
    while (n > 0 && oneapi->writes[n - 1].staging == NULL) n--;
    if (n == 0) return;
    oneapi->api->Event_Wait(oneapi->writes[n - 1].event);
    end_writes(oneapi, n);
}

/* Without room the write is waited for. */
static void keep(struct adi_oneapi *oneapi, struct adi_oneapi_write write) {
    if (oneapi->n_writes == MOST) await_writes(oneapi, MOST / 2);
    if (oneapi->n_writes == oneapi->room) {
        size_t room = oneapi->room == 0 ? 16 : 2 * oneapi->room;
        struct adi_oneapi_write *more = realloc(oneapi->writes, room * sizeof *more);
        if (more != NULL) {
            oneapi->writes = more;
            oneapi->room = room;
        }
    }
    if (oneapi->n_writes < oneapi->room) {
        oneapi->writes[oneapi->n_writes++] = write;
        return;
    }
    oneapi->api->Event_Wait(write.event);
    if (write.staging != NULL) oneapi->api->Event_Delete(write.event);
    free(write.staging);
}

void adi_oneapi_keep_event(struct adi_oneapi *oneapi, adi_sycl_event event) {
    pthread_mutex_lock(&oneapi->lock);
    if (oneapi->n_writes > 0) keep(oneapi, (struct adi_oneapi_write){.event = event});
    pthread_mutex_unlock(&oneapi->lock);
}

static void end_writes_before(struct adi_oneapi *oneapi, adi_sycl_event event, bool is_complete) {
    pthread_mutex_lock(&oneapi->lock);
    for (size_t i = oneapi->n_writes; i-- > 0;)
        if (oneapi->writes[i].event == event) {
            if (!is_complete) oneapi->api->Event_Wait(event);
            end_writes(oneapi, i + 1);
            break;
        }
    pthread_mutex_unlock(&oneapi->lock);
}

void adi_oneapi_note_complete(struct adi_oneapi *oneapi, adi_sycl_event event) {
    end_writes_before(oneapi, event, true);
}

void adi_oneapi_end_event(struct adi_oneapi *oneapi, adi_sycl_event event) {
    end_writes_before(oneapi, event, false);
}

void adi_oneapi_end_writes(struct adi_oneapi *oneapi) {
    await_writes(oneapi, oneapi->n_writes);
    free(oneapi->writes);
}

/* ---- buffers ---- */

int adi_oneapi_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                     struct adi_error *error) {
    struct adi_oneapi *oneapi = device->state;
    if (bytes <= 0 || (uint64_t)bytes > SIZE_MAX)
        return adi_error_set(error, EINVAL, "a buffer of %" PRId64 " bytes", bytes);
    void *made = oneapi->api->aligned_alloc_device(ALIGNMENT, (size_t)bytes, oneapi->queue);
    if (made == NULL) return adi_error_set(error, ENOMEM, "DPCTLaligned_alloc_device gives NULL");
    if (adi_made_add(&oneapi->buffers, made, (size_t)bytes) != 0) {
        oneapi->api->free_with_queue(made, oneapi->queue);
        return adi_error_set(error, ENOMEM, "no memory for a buffer");
    }
    *buffer = made;
    return 0;
}

/* With the lock. */
static void await_writes_to(struct adi_oneapi *oneapi, const char *buffer, size_t bytes) {
    for (size_t i = oneapi->n_writes; i-- > 0;) {
        const struct adi_oneapi_write *write = &oneapi->writes[i];
        bool within = write->to >= buffer && write->to < buffer + bytes;
        if (write->staging == NULL || !within) continue;
        await_writes(oneapi, i + 1);
        return;
    }
}

void adi_oneapi_free(struct adi_device *device, void *pointer) {
    struct adi_oneapi *oneapi = device->state;
    size_t bytes = adi_made_take(&oneapi->buffers, pointer);
    pthread_mutex_lock(&oneapi->lock);
    await_writes_to(oneapi, pointer, bytes);
    pthread_mutex_unlock(&oneapi->lock);
    oneapi->api->free_with_queue(pointer, oneapi->queue);
}

int adi_oneapi_alloc_visible(struct adi_device *device, int64_t bytes, void **buffer,
                             struct adi_error *error) {
    const struct adi_oneapi *oneapi = device->state;
    *buffer = oneapi->api->aligned_alloc_host(ALIGNMENT, (size_t)bytes, oneapi->queue);
    if (*buffer != NULL) return 0;
    return adi_error_set(error, ENOMEM, "DPCTLaligned_alloc_host gives NULL");
}

void adi_oneapi_free_visible(struct adi_device *device, void *buffer) {
    const struct adi_oneapi *oneapi = device->state;
    oneapi->api->free_with_queue(buffer, oneapi->queue);
}

/* ---- what a pointer is ---- */

/* SYCL tells of what kind memory is, and on which device, and not how much there is. EFAULT. */
static int find(const struct adi_device *device, const void *buffer, struct adi_error *error) {
    const struct adi_oneapi *oneapi = device->state;
    const struct adi_oneapi_api *api = oneapi->api;
    int type =
        buffer == NULL ? ADI_SYCL_UNKNOWN_MEMORY : api->USM_GetPointerType(buffer, oneapi->context);
    if (type == ADI_SYCL_UNKNOWN_MEMORY)
        return adi_error_set(error, EFAULT,
                             "%p is no memory of the default context of oneapi:%" PRId64, buffer,
                             device->id);
    if (type != ADI_SYCL_DEVICE_MEMORY) return 0;
    adi_sycl_device where = api->USM_GetPointerDevice(buffer, oneapi->context);
    bool is_here = where != NULL && api->Device_AreEq(where, oneapi->sycl);
    if (where != NULL) api->Device_Delete(where);
    if (is_here) return 0;
    return adi_error_set(error, EFAULT, "%p is memory of another device than oneapi:%" PRId64,
                         buffer, device->id);
}

/* How much there is from the pointer on of memory that somebody else has allocated, as the
 * simulation and the OpenCL layer know. */
static uint64_t others_bytes(const struct adi_oneapi *oneapi, const void *pointer) {
    const struct adi_sim *sim = oneapi->api->is_simulated ? adi_sim_loaded() : NULL;
    struct adi_sim_found found;
    uint64_t bytes;
    if (sim != NULL && sim->find(pointer, &found) == 0)
        return (uint64_t)((const char *)found.start + found.bytes - (const char *)pointer);
    return !oneapi->api->is_simulated && adi_oneapi_knows(pointer, &bytes) ? bytes : INT64_MAX;
}

static int find_bytes(const struct adi_device *device, const void *buffer, int64_t offset,
                      int64_t bytes, struct adi_error *error) {
    struct adi_oneapi *oneapi = device->state;
    uint64_t there = adi_made_bytes(&oneapi->buffers, buffer);
    if (there == 0) {
        ADI_TRY(find(device, buffer, error));
        there = others_bytes(oneapi, buffer);
    }
    return adi_extent_check(buffer, there, offset, bytes, error);
}

bool adi_oneapi_accessible(struct adi_device *device, const void *buffer, struct adi_error *why) {
    return find_bytes(device, buffer, 0, 0, why) == 0;
}

/* ---- copying ---- */

static int copy(const struct adi_oneapi *oneapi, void *to, const void *from, int64_t bytes,
                adi_sycl_event *out, struct adi_error *error) {
    *out = oneapi->api->Queue_Memcpy(oneapi->queue, to, from, (size_t)bytes);
    return *out != NULL ? 0 : adi_error_set(error, EIO, "DPCTLQueue_Memcpy gives NULL");
}

/* The queue has come to its end then, as far as this device is concerned. */
static int copy_now(struct adi_oneapi *oneapi, void *to, const void *from, int64_t bytes,
                    struct adi_error *error) {
    adi_sycl_event event;
    pthread_mutex_lock(&oneapi->lock);
    int code = copy(oneapi, to, from, bytes, &event, error);
    if (code == 0) {
        unsigned waits = atomic_load(&oneapi->known.waits);
        oneapi->api->Event_Wait(event);
        atomic_store(&oneapi->known.passed, waits);
        end_writes(oneapi, oneapi->n_writes);
    }
    pthread_mutex_unlock(&oneapi->lock);
    if (code != 0) return code;
    int status = oneapi->api->Event_GetCommandExecutionStatus(event);
    oneapi->api->Event_Delete(event);
    if (status == ADI_SYCL_COMPLETE) return 0;
    return adi_error_set(error, EIO, "a copy has status %d after it was waited for", status);
}

int adi_oneapi_write(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                     int64_t bytes, struct adi_error *error) {
    struct adi_oneapi *oneapi = device->state;
    ADI_TRY(find_bytes(device, buffer, offset, bytes, error));
    if (bytes == 0) return 0;
    char *to = (char *)buffer + offset;
    if (bytes >= LARGE) return copy_now(oneapi, to, from, bytes, error);
    struct adi_oneapi_write write = {.staging = malloc((size_t)bytes), .to = to};
    if (write.staging == NULL) return adi_error_set(error, ENOMEM, "no memory for a copy");
    memcpy(write.staging, from, (size_t)bytes);
    pthread_mutex_lock(&oneapi->lock);
    int code = copy(oneapi, to, write.staging, bytes, &write.event, error);
    if (code == 0) keep(oneapi, write);
    pthread_mutex_unlock(&oneapi->lock);
    if (code != 0) free(write.staging);
    return code;
}

int adi_oneapi_read(struct adi_device *device, const void *buffer, int64_t offset, void *to,
                    int64_t bytes, struct adi_error *error) {
    if (bytes == 0) return 0;
    ADI_TRY(find_bytes(device, buffer, offset, bytes, error));
    return copy_now(device->state, to, (const char *)buffer + offset, bytes, error);
}
