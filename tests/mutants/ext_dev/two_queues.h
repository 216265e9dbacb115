/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches that are written on two queues in turn.
 */
#ifndef EXT_DEV_TWO_QUEUES_H
#define EXT_DEV_TWO_QUEUES_H

#include <errno.h>
#include <stdlib.h>

#include "ext_dev.h"

static bool on_second;

static adi_sim_queue queue_in_turn(struct adi_device *device) {
    return on_second ? base_second_queue(device) : base_queue(device);
}

static int write_in_turn(struct adi_device *device, void *buffer, int64_t offset, const void *from,
                         int64_t bytes, struct adi_error *error) {
    (void)error;
    return SIM(copy)(queue_in_turn(device), (char *)buffer + offset, from, (size_t)bytes, 0);
}

/* Records the event, hands out a copy of its handle, and turns to the other queue. */
static int hand_out(struct adi_device *device, adi_sim_event event, void **sync_event) {
    adi_sim_event *handle = malloc(sizeof *handle);
    if (handle == NULL) return ENOMEM;
    SIM(event_record)(event, queue_in_turn(device));
    *handle = event;
    *sync_event = handle;
    on_second = !on_second;
    return 0;
}

/* What is freed next is freed behind what the event says. */
static void free_behind(struct adi_device *device, adi_sim_event event) {
    SIM(event_wait)(base_queue(device), event);
}

#endif /* EXT_DEV_TWO_QUEUES_H */
