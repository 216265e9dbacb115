/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: events come from a pool, and are recorded anew when the array that they were for is gone;
 * batches are written on two streams in turn.
 */
#include "cuda/two_streams.h"

#define EVENTS 4

static CUevent spare[EVENTS];
static size_t n_spare;

static int take_event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    CUevent event = NULL;
    (void)error;
    if (n_spare > 0)
        event = spare[--n_spare];
    else if (CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING) != 0)
        return ENOMEM;
    return hand_out(device, event, sync_event);
}

static void give_back(struct adi_device *device, void *sync_event) {
    CUevent event = *(CUevent *)sync_event;
    free(sync_event);
    if (n_spare < EVENTS)
        spare[n_spare++] = event;
    else
        destroy(device, event);
}

void mutate(void) {
    use_two_streams();
    base.ops.event = take_event;
    base.ops.event_free = give_back;
}
