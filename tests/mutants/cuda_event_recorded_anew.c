/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: there is one event, which is recorded anew for each export, on
 * the stream that this one was written on; for an export that still lives it says nothing any more.
 */
#include "cuda/two_streams.h"

static CUevent newest;
static size_t live;

static int record_anew(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)error;
    if (live == 0) CU(cuEventCreate)(&newest, CU_EVENT_DISABLE_TIMING);
    live++;
    return hand_out(device, newest, sync_event);
}

static void let_go(struct adi_device *device, void *sync_event) {
    free(sync_event);
    if (--live == 0) destroy(device, newest);
}

void mutate(void) {
    use_two_streams();
    base.ops.event = record_anew;
    base.ops.event_free = let_go;
}
