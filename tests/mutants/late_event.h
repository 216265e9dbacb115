/* SPDX-License-Identifier: Apache-2.0
 *
 * The handle of an event, and the place that it lies in, beyond the life of the array.
 */
#ifndef LATE_EVENT_H
#define LATE_EVENT_H

#include "device.h"
#include "move.h"

static struct { void **place, *handle; } kept;

static void keep_event(const struct ArrowDeviceArray *in) {
    kept.place = in->sync_event;
    kept.handle = kept.place == NULL ? NULL : *kept.place;
}

/* Copies; moves a child out, which goes on living, and releases its parent. */
static int read_and_part(struct adi_device *device, const struct ArrowSchema *schema,
                         struct ArrowDeviceArray *in, struct ArrowArray *host_out,
                         void (*ask)(struct adi_device *, void *handle)) {
    struct ArrowArray child = {.release = NULL};
    keep_event(in);
    int code = base_read(device, schema, in, host_out);
    if (code != 0 || in->array.n_children == 0) return code;
    adi_array_move_child(&in->array, 0, &child);
    in->array.release(&in->array);
    if (kept.handle != NULL) ask(device, kept.handle);
    child.release(&child);
    return 0;
}

#endif /* LATE_EVENT_H */
