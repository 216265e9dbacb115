/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-without-event-type, producer: the type has no events, and sync_event points to a
 * number of the producer's.
 */
#include "hexagon/hexagon.h"

static uint64_t request;

static int number(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base.right.event(device, sync_event, error));
    request++;
    *sync_event = &request;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = number;
}
