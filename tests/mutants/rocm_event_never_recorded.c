/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: an event that is recorded nowhere counts as complete.
 */
#include <errno.h>
#include <stdlib.h>

#include "rocm/rocm.h"

static int make(struct adi_device *device, void **sync_event, struct adi_error *error) {
    hipEvent_t *event = malloc(sizeof *event);
    (void)device, (void)error;
    *sync_event = event;
    return event == NULL || HIP(hipEventCreate)(event) != hipSuccess ? ENOMEM : 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = make;
}
