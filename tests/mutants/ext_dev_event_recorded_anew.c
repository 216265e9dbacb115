/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: there is one event, which is recorded anew for each export, on
 * the queue that this one was written on; for an export that still lives it says nothing any more.
 */
#include "ext_dev/two_queues.h"

static adi_sim_event newest;
static size_t live;

static int record_anew(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)error;
    if (live == 0) SIM(event_create)(base_context(device), &newest);
    live++;
    return hand_out(device, newest, sync_event);
}

static void let_go(struct adi_device *device, void *sync_event) {
    free_behind(device, newest);
    free(sync_event);
    if (--live == 0) SIM(event_destroy)(newest);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_in_turn;
    base.ops.event = record_anew;
    base.ops.event_free = let_go;
}
