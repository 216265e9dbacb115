/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-never-completes, producer: the event ended in an error before it was handed out.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

static int failed(struct adi_device *device, void **sync_event, struct adi_error *error) {
    cl_event *made = malloc(sizeof *made);
    (void)error;
    if (made == NULL) return 12;
    *made = base_api->clCreateUserEvent(base_context(device), NULL);
    base_api->clSetUserEventStatus(*made, -1);
    *sync_event = made;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = failed;
}
