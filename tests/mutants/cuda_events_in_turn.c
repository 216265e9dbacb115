/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: of three events the next is recorded anew for each export, on the
 * stream that this one was written on; for the third before it, which may live, it says nothing any
 * more.
 */
#include "cuda/two_streams.h"

#define EVENTS 3

static CUevent events[EVENTS];
static size_t turn, live;

static int next_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    CUevent *event = &events[turn++ % EVENTS];
    (void)error;
    if (*event == NULL && CU(cuEventCreate)(event, CU_EVENT_DISABLE_TIMING) != 0) return ENOMEM;
    live++;
    return hand_out(device, *event, sync_event);
}

/* The events go with the last array. */
static void let_go(struct adi_device *device, void *sync_event) {
    free(sync_event);
    if (--live > 0) return;
    for (size_t i = 0; i < EVENTS; i++) {
        if (events[i] != NULL) destroy(device, events[i]);
        events[i] = NULL;
    }
}

void mutate(void) {
    use_two_streams();
    base.ops.event = next_event;
    base.ops.event_free = let_go;
}
