/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: what goes out is a second reference to the event, and the first is given up before.
 */
#include <errno.h>

#include "oneapi/oneapi.h"

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base.right.event(device, sync_event, error));
    DPCTLSyclEventRef copy = SYCL(DPCTLEvent_Copy)(*sync_event);
    SYCL(DPCTLEvent_Delete)(*sync_event);
    *sync_event = copy;
    return copy == NULL ? ENOMEM : 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = event;
}
