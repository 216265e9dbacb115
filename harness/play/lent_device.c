/* SPDX-License-Identifier: Apache-2.0 */
#include "lent_device.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#define MOST_LENT 32 /* devices that are held at once */

/* What is left of one that is held by nobody may still be looked at, so none is ever freed. */
static struct lent {
    struct adi_device shown, real;
    struct adi_device_ops ops; /* of `shown` */
    _Atomic size_t held;       /* buffers and events */
    bool is_open;
} lent[MOST_LENT];

static struct lent *lent_of(struct adi_device *shown) {
    return (struct lent *)(void *)shown;
}

static int alloc(struct adi_device *shown, int64_t bytes, void **buffer, struct adi_error *error) {
    struct lent *one = lent_of(shown);
    if (!one->is_open) return adi_error_set(error, ENODEV, "the device was closed");
    ADI_TRY(one->real.ops->alloc(&one->real, bytes, buffer, error));
    atomic_fetch_add(&one->held, 1);
    return 0;
}

static void free_buffer(struct adi_device *shown, void *buffer) {
    struct lent *one = lent_of(shown);
    one->real.ops->free(&one->real, buffer);
    atomic_fetch_sub(&one->held, 1);
}

static int event(struct adi_device *shown, void **sync_event, struct adi_error *error) {
    struct lent *one = lent_of(shown);
    if (!one->is_open) return adi_error_set(error, ENODEV, "the device was closed");
    ADI_TRY(one->real.ops->event(&one->real, sync_event, error));
    if (*sync_event != NULL) atomic_fetch_add(&one->held, 1);
    return 0;
}

static void event_free(struct adi_device *shown, void *sync_event) {
    struct lent *one = lent_of(shown);
    one->real.ops->event_free(&one->real, sync_event);
    if (sync_event != NULL) atomic_fetch_sub(&one->held, 1);
}

static int record_on(struct adi_device *shown, void *queue, void **sync_event,
                     struct adi_error *error) {
    struct lent *one = lent_of(shown);
    if (!one->is_open) return adi_error_set(error, ENODEV, "the device was closed");
    ADI_TRY(one->real.ops->record_on(&one->real, queue, sync_event, error));
    if (*sync_event != NULL) atomic_fetch_add(&one->held, 1);
    return 0;
}

static int batch(struct adi_device *shown, bool on, struct adi_error *error) {
    struct lent *one = lent_of(shown);
    return one->is_open ? one->real.ops->batch_submissions(&one->real, on, error) : 0;
}

static bool is_of(const struct lent *one, const struct adi_device *device) {
    return one->is_open && one->real.ops == device->ops && one->real.id == device->id &&
           one->real.state == device->state;
}

static struct lent *find(const struct adi_device *device) {
    for (size_t i = 0; i < MOST_LENT; i++)
        if (is_of(&lent[i], device)) return &lent[i];
    return NULL;
}

/* The table of a vendor's device may be an older and shorter one. */
static void begin(struct lent *one, const struct adi_device *device) {
    const struct adi_device_ops *ops = device->ops;
    memset(&one->ops, 0, sizeof one->ops);
    memcpy(&one->ops, ops, ops->size < sizeof one->ops ? ops->size : sizeof one->ops);
    one->ops.alloc = alloc;
    one->ops.free = free_buffer;
    one->ops.event = event;
    one->ops.event_free = event_free;
    if (ADI_DEVICE_HAS(ops, record_on)) one->ops.record_on = record_on;
    if (ADI_DEVICE_HAS(ops, batch_submissions)) one->ops.batch_submissions = batch;
    one->real = one->shown = *device;
    one->shown.ops = &one->ops;
    one->is_open = true;
}

struct adi_device *adi_lend_device(const struct adi_device *device) {
    struct lent *one = find(device);
    for (size_t i = 0; one == NULL && i < MOST_LENT; i++) {
        if (lent[i].is_open || atomic_load(&lent[i].held) > 0) continue;
        one = &lent[i];
        begin(one, device);
    }
    return one == NULL ? NULL : &one->shown;
}

bool adi_lent_device_is_held(const struct adi_device *device) {
    struct lent *one = find(device);
    if (one == NULL) return false;
    one->is_open = false;
    return atomic_load(&one->held) > 0;
}
