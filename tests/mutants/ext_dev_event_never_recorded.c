/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: an event that is recorded nowhere counts as complete.
 */
#include <errno.h>
#include <stdlib.h>

#include "ext_dev/ext_dev.h"

static int make(struct adi_device *device, void **sync_event, struct adi_error *error) {
    adi_sim_event *event = malloc(sizeof *event);
    (void)error;
    *sync_event = event;
    return event == NULL ? ENOMEM : SIM(event_create)(base_context(device), event);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = make;
}
