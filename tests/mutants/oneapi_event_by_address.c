/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-invalid, producer: sync_event is the address of a reference to the event, as it is of
 * the types whose events are handles.
 */
#include "oneapi/oneapi.h"

static void *place;

static void hand_out(struct ArrowDeviceArray *out) {
    place = out->sync_event;
    out->sync_event = &place;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
}
