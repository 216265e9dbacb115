/* SPDX-License-Identifier: Apache-2.0
 *
 * A ring: each export is laid out in the next part, in buffers that are made once and kept.
 */
#ifndef RING_H
#define RING_H

#include <errno.h>
#include <stdbool.h>

#include "device.h"

#define RING_PARTS   3
#define RING_BUFFERS 256
#define RING_ROOM    (INT64_C(1) << 16) /* of a buffer */

static struct ring_part {
    void *buffers[RING_BUFFERS];
    size_t used, live;
    const void *root; /* private_data of the export that is laid out in it; NULL: it is gone */
} rings[ADI_DEVICE_IDS][RING_PARTS];
static size_t ring_turn[ADI_DEVICE_IDS];
static bool ring_is_full[ADI_DEVICE_IDS]; /* the part has got its event */

static struct adi_device_ops ring_beneath; /* its buffers go with the process */

/* Which part comes next? RING_PARTS: there is none. */
static size_t (*ring_next)(const struct ring_part *parts, size_t turn);

static int ring_alloc(struct adi_device *device, int64_t bytes, void **buffer,
                      struct adi_error *error) {
    struct ring_part *parts = rings[device->id];
    size_t *turn = &ring_turn[device->id];
    if (ring_is_full[device->id]) {
        size_t next = ring_next(parts, *turn);
        if (next == RING_PARTS) return adi_error_set(error, ENOMEM, "every part is live");
        *turn = next;
        parts[next].used = 0;
        ring_is_full[device->id] = false;
    }
    struct ring_part *part = &parts[*turn];
    if (part->live == 0) part->used = 0; /* an export that failed had it */
    if (part->used == RING_BUFFERS || bytes > RING_ROOM)
        return adi_error_set(error, ENOTSUP, "too much for a part");
    void **at = &part->buffers[part->used];
    if (*at == NULL) ADI_TRY(ring_beneath.alloc(device, RING_ROOM, at, error));
    *buffer = *at;
    part->used++;
    part->live++;
    return 0;
}

static void ring_free(struct adi_device *device, void *buffer) {
    for (size_t p = 0; p < RING_PARTS; p++)
        for (size_t i = 0; i < RING_BUFFERS; i++)
            if (rings[device->id][p].buffers[i] == buffer) rings[device->id][p].live--;
}

static int ring_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ring_is_full[device->id] = true;
    return ring_beneath.event(device, sync_event, error);
}

static void make_ring(struct adi_device_ops *ops,
                      size_t (*next)(const struct ring_part *parts, size_t turn)) {
    ring_beneath = *ops;
    ring_next = next;
    ops->alloc = ring_alloc;
    ops->free = ring_free;
    ops->event = ring_event;
}

/* Right: one that nobody has, or none. */
static inline size_t ring_next_free(const struct ring_part *parts, size_t turn) {
    size_t next = 0;
    (void)turn;
    while (next < RING_PARTS && parts[next].live > 0) next++;
    return next;
}

/* Planted: whoever has it. */
static inline size_t ring_next_in_turn(const struct ring_part *parts, size_t turn) {
    (void)parts;
    return (turn + 1) % RING_PARTS;
}

/* ---- planted: a part goes back with the root, whatever was moved out of it ---- */

static void (*ring_release)(struct ArrowArray *);

static inline size_t ring_next_without_root(const struct ring_part *parts, size_t turn) {
    size_t next = 0;
    (void)turn;
    while (next < RING_PARTS && parts[next].root != NULL) next++;
    return next;
}

static inline void ring_release_root(struct ArrowArray *array) {
    for (size_t id = 0; id < ADI_DEVICE_IDS; id++)
        for (size_t p = 0; p < RING_PARTS; p++)
            if (rings[id][p].root == array->private_data) rings[id][p].root = NULL;
    ring_release(array);
}

static inline void ring_root_has_it(struct ArrowDeviceArray *out) {
    rings[out->device_id][ring_turn[out->device_id]].root = out->array.private_data;
    ring_release = out->array.release;
    out->array.release = ring_release_root;
}

#endif /* RING_H */
