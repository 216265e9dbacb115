/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: an event that was made for nothing counts as complete.
 */
#include <errno.h>

#include "oneapi/oneapi.h"

static int make(struct adi_device *device, void **sync_event, struct adi_error *error) {
    (void)device, (void)error;
    *sync_event = SYCL(DPCTLEvent_Create)();
    return *sync_event == NULL ? ENOMEM : 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = make;
}
