/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: of three events the next is recorded anew for each export, on the
 * queue that this one was written on; for the third before it, which may live, it says nothing any
 * more.
 */
#include "ext_dev/two_queues.h"

#define EVENTS 3

static adi_sim_event events[EVENTS];
static size_t turn;

static int next_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    adi_sim_event *event = &events[turn++ % EVENTS];
    (void)error;
    if (*event == 0) ADI_TRY(SIM(event_create)(base_context(device), event));
    return hand_out(device, *event, sync_event);
}

/* The events go with the process. */
static void let_go(struct adi_device *device, void *sync_event) {
    free_behind(device, *(adi_sim_event *)sync_event);
    free(sync_event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_in_turn;
    base.ops.event = next_event;
    base.ops.event_free = let_go;
}
