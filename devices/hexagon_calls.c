/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of a driver (hexagon_driver.h). What is wrong is told when the lock is given up.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "hexagon_dsp.h"
#include "hexagon_internal.h"

static struct adi_hexagon_handle *handle_of(const struct adi_hexagon_driver *driver) {
    return (struct adi_hexagon_handle *)(uintptr_t)driver;
}

static int driver_alloc(const struct adi_hexagon_driver *driver, int64_t bytes, uint32_t *address) {
    adi_hexagon_lock();
    int code = adi_hexagon_allocate(driver->id, bytes, adi_caller_party() == 1, address, NULL);
    adi_hexagon_unlock();
    return code;
}

static int driver_free(const struct adi_hexagon_driver *driver, uint32_t address) {
    struct adi_hexagon_queue *queue = &handle_of(driver)->queue;
    adi_hexagon_lock();
    struct adi_hexagon_allocation *at = adi_hexagon_find_at(address);
    bool is_one = at != NULL && at->is_live && at->address == address &&
                  adi_hexagon_id_of(address) == driver->id;
    bool may = is_one && (at->by_implementation || adi_caller_party() == 0);
    struct adi_hexagon_misuse misuse = adi_hexagon_judge_free(driver->id, address);
    if (may) {
        adi_hexagon_drop(address, (uint64_t)at->bytes);
        adi_hexagon_release(driver->id, at);
    }
    adi_hexagon_unlock();
    adi_hexagon_tell(queue, misuse, "free", address, 0);
    return may ? 0 : is_one ? EPERM : EINVAL;
}

struct end {
    uint32_t address;
    bool writes;
};

/* What a command does at one of its ends on the DSP; with the lock. */
static int look(const struct adi_hexagon_queue *queue, struct end end, int64_t bytes,
                const char *call, struct adi_hexagon_misuse *misuse) {
    *misuse = adi_hexagon_judge(queue, end.address, bytes, end.writes);
    int code = adi_hexagon_check(queue->id, end.address, 0, bytes, NULL);
    if (code == 0) adi_hexagon_say_command(queue, call, end.address, end.writes);
    return code;
}

static int queue_job(const struct adi_hexagon_driver *driver, enum adi_hexagon_kind kind,
                     uint32_t to, uint32_t from, void *host, const void *data, int64_t bytes) {
    static const char *const names[] = {"copy_in", "copy_out", "copy"};
    struct adi_hexagon_queue *queue = &handle_of(driver)->queue;
    struct adi_hexagon_misuse to_wrong = {NULL, ADI_MISUSE_DEAD}, from_wrong = to_wrong;
    int code = 0;
    if (bytes <= 0) return bytes < 0 ? EINVAL : 0;
    adi_hexagon_lock();
    if (kind != ADI_HEXAGON_OUT)
        code = look(queue, (struct end){to, true}, bytes, names[kind], &to_wrong);
    if (kind != ADI_HEXAGON_IN && code == 0)
        code = look(queue, (struct end){from, false}, bytes, names[kind], &from_wrong);
    const struct adi_hexagon_job job = {.kind = kind,
                                        .by_implementation = adi_caller_party() == 1,
                                        .to = to,
                                        .from = from,
                                        .host = host,
                                        .bytes = (uint32_t)bytes};
    if (code == 0) code = adi_hexagon_enqueue(queue, &job, data, NULL);
    adi_hexagon_unlock();
    adi_hexagon_tell(queue, to_wrong, names[kind], to, bytes);
    adi_hexagon_tell(queue, from_wrong, names[kind], from, bytes);
    return code;
}

static int driver_copy_in(const struct adi_hexagon_driver *driver, uint32_t to, const void *from,
                          int64_t bytes) {
    return queue_job(driver, ADI_HEXAGON_IN, to, 0, NULL, from, bytes);
}

static int driver_copy_out(const struct adi_hexagon_driver *driver, void *to, uint32_t from,
                           int64_t bytes) {
    return queue_job(driver, ADI_HEXAGON_OUT, 0, from, to, NULL, bytes);
}

static int driver_copy(const struct adi_hexagon_driver *driver, uint32_t to, uint32_t from,
                       int64_t bytes) {
    return queue_job(driver, ADI_HEXAGON_COPY, to, from, NULL, NULL, bytes);
}

static int driver_wait(const struct adi_hexagon_driver *driver) {
    struct adi_hexagon_queue *queue = &handle_of(driver)->queue;
    adi_hexagon_lock();
    int code = adi_hexagon_run(queue, NULL);
    adi_hexagon_say_wait(queue);
    adi_hexagon_unlock();
    return code;
}

static int driver_sum(const struct adi_hexagon_driver *driver, uint32_t from, int64_t bytes,
                      uint64_t *sum) {
    struct adi_hexagon_queue *queue = &handle_of(driver)->queue;
    struct adi_hexagon_misuse wrong;
    *sum = 0;
    if (bytes <= 0) return bytes < 0 ? EINVAL : driver_wait(driver);
    adi_hexagon_lock();
    int code = look(queue, (struct end){from, false}, bytes, "sum", &wrong);
    if (code == 0) code = adi_hexagon_run(queue, NULL);
    if (code == 0) code = adi_hexagon_add_up(queue->id, from, (uint64_t)bytes, sum, NULL);
    if (code == 0) adi_hexagon_say_wait(queue);
    adi_hexagon_unlock();
    adi_hexagon_tell(queue, wrong, "sum", from, bytes);
    return code;
}

static int driver_open(const struct adi_hexagon_driver *driver, int32_t id,
                       const struct adi_hexagon_driver **out) {
    (void)driver;
    struct adi_hexagon_handle *handle = malloc(sizeof *handle);
    if (handle == NULL) return ENOMEM;
    int code = adi_hexagon_handle_open(handle, id, adi_caller_party() == 1, NULL);
    if (code == 0)
        *out = &handle->driver;
    else
        free(handle);
    return code;
}

static void driver_close(const struct adi_hexagon_driver *driver) {
    struct adi_hexagon_handle *handle = handle_of(driver);
    adi_hexagon_handle_close(handle);
    free(handle);
}

/* ---- queues, and the DSPs that they are of ---- */

static int opened[ADI_HEXAGON_DSPS]; /* how many queues there are; under the lock */

/* One that was lost is not started anew while anybody has what was there before. */
static int start(int id, struct adi_error *error) {
    if (opened[id] > 0 && !adi_hexagon_runs(id)) return adi_hexagon_say_lost(id, error);
    if (opened[id] == 0) adi_hexagon_forget(id);
    ADI_TRY(adi_hexagon_find(NULL, NULL, error));
    return adi_hexagon_start(id, error);
}

int adi_hexagon_handle_open(struct adi_hexagon_handle *handle, int64_t id, bool by_implementation,
                            struct adi_error *error) {
    if (id < 0 || id >= ADI_HEXAGON_DSPS)
        return adi_error_set(error, ENODEV, "there is no hexagon:%" PRId64 ", only 0 to %d", id,
                             ADI_HEXAGON_DSPS - 1);
    adi_hexagon_lock();
    int code = start((int)id, error);
    if (code == 0) {
        adi_hexagon_queue_open(&handle->queue, (int)id, by_implementation);
        opened[id]++;
    }
    adi_hexagon_unlock();
    if (code != 0) return code;
    handle->driver = (struct adi_hexagon_driver){.size = sizeof handle->driver,
                                                 .id = handle->queue.id,
                                                 .alloc = driver_alloc,
                                                 .free = driver_free,
                                                 .copy_in = driver_copy_in,
                                                 .copy_out = driver_copy_out,
                                                 .copy = driver_copy,
                                                 .wait = driver_wait,
                                                 .sum = driver_sum,
                                                 .open = driver_open,
                                                 .close = driver_close};
    return 0;
}

void adi_hexagon_handle_close(struct adi_hexagon_handle *handle) {
    int id = handle->queue.id;
    adi_hexagon_lock();
    adi_hexagon_queue_close(&handle->queue);
    if (--opened[id] == 0) {
        adi_hexagon_end(id);
        adi_hexagon_forget(id);
    }
    adi_hexagon_unlock();
}
