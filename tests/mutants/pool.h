/* SPDX-License-Identifier: Apache-2.0
 *
 * A pool: buffers are parts of one large block of the device, and when a batch has got its event
 * the next one is begun in the part behind it.
 */
#ifndef POOL_H
#define POOL_H

#include <string.h>

#include "device.h"

#define POOL_BLOCK (INT64_C(4) << 20)
#define POOL_AHEAD 4096 /* of the next batch, as far as it is begun */
#define POOL_ALIGN 256

static struct pool {
    void *block; /* kept for the next batch */
    int64_t used;
    size_t live; /* parts */
} pools[ADI_DEVICE_IDS];

static struct adi_device_ops beneath; /* the pool; what stands in for the whole device's */

static int pool_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                      struct adi_error *error) {
    struct pool *pool = &pools[device->id];
    int64_t end = pool->used + (bytes + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN;
    if (pool->block == NULL) ADI_TRY(beneath.alloc(device, POOL_BLOCK, &pool->block, error));
    if (end > POOL_BLOCK - POOL_AHEAD) return adi_error_set(error, 12, "the pool is full");
    *buffer = (char *)pool->block + pool->used;
    pool->used = end;
    pool->live++;
    return 0;
}

static void pool_free(struct adi_device *device, void *buffer) {
    struct pool *pool = &pools[device->id];
    (void)buffer;
    if (--pool->live == 0) pool->used = 0;
}

static int begin_next(struct adi_device *device, struct adi_error *error) {
    static const char next[POOL_AHEAD] = "the next batch";
    struct pool *pool = &pools[device->id];
    if (pool->block == NULL) return 0;
    return beneath.write(device, (char *)pool->block + pool->used, 0, next, sizeof next, error);
}

static int event_and_next(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(beneath.event(device, sync_event, error));
    return begin_next(device, error);
}

/* `ops` gets a pool in between. */
static void make_pool(struct adi_device_ops *ops) {
    beneath = *ops;
    ops->alloc = pool_alloc;
    ops->free = pool_free;
    ops->event = event_and_next;
}

/* ---- and the defect: what is written last comes behind the event ---- */

static struct {
    void *to;
    int64_t bytes;
    char from[1 << 16];
} last;

static int write_last(struct adi_device *device, struct adi_error *error) {
    int64_t bytes = last.bytes;
    last.bytes = 0;
    return bytes == 0 ? 0 : beneath.write(device, last.to, 0, last.from, bytes, error);
}

static int write_but_last(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                          int64_t bytes, struct adi_error *error) {
    ADI_TRY(write_last(device, error));
    if (bytes > (int64_t)sizeof last.from)
        return beneath.write(device, buffer, offset, from, bytes, error);
    last.to = (char *)buffer + offset;
    last.bytes = bytes;
    memcpy(last.from, from, (size_t)bytes);
    return 0;
}

static int event_too_early(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(beneath.event(device, sync_event, error));
    ADI_TRY(write_last(device, error));
    return begin_next(device, error);
}

static void be_early(struct adi_device_ops *ops) {
    ops->write = write_but_last;
    ops->event = event_too_early;
}

#endif /* POOL_H */
