/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the event is handed out, and is complete when it is.
 */
#include "opencl/opencl.h"

static int complete(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(adi_device_opencl.event(device, sync_event, error));
    return adi_device_opencl.wait_host(device, *sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = complete;
}
