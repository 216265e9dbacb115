/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the event is handed out, and is complete when it is.
 */
#include "../device/device_base.h"

static int complete(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base.right.event(device, sync_event, error));
    return base.right.wait_host(device, *sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = complete;
}
