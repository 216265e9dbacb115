/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer. vortex-data/vortex#8952: the event does not cover the queue that
 * wrote.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

static int elsewhere(struct adi_device *device, void **sync_event, struct adi_error *error) {
    cl_event *made = malloc(sizeof *made);
    (void)error;
    if (made == NULL) return 12;
    *made = base_api->clCreateUserEvent(base_context(device), NULL);
    base_api->clSetUserEventStatus(*made, CL_COMPLETE);
    *sync_event = made;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = elsewhere;
}
