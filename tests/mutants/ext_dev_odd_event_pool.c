/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: events come from a pool, and are recorded anew when the array that they were for is gone;
 * batches are written on two queues in turn.
 */
#include "ext_dev/two_queues.h"

#define EVENTS 4

static adi_sim_event spare[EVENTS];
static size_t n_spare;

static int take_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    adi_sim_event event;
    (void)error;
    int code = n_spare == 0 ? SIM(event_create)(base_context(device), &event) : 0;
    if (code != 0) return code;
    if (n_spare > 0) event = spare[--n_spare];
    return hand_out(device, event, sync_event);
}

static void give_back(struct adi_device *device, void *sync_event) {
    adi_sim_event event = *(adi_sim_event *)sync_event;
    free_behind(device, event);
    free(sync_event);
    if (n_spare < EVENTS)
        spare[n_spare++] = event;
    else
        SIM(event_destroy)(event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_in_turn;
    base.ops.event = take_event;
    base.ops.event_free = give_back;
}
