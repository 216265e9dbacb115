/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-without-event-type, producer: the type has no events, and sync_event points to a
 * number of the producer's.
 */
#include "vpi/vpi.h"

static uint64_t tick;

static int number(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = &tick;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = number;
}
