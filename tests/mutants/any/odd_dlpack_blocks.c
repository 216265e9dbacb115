/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: nothing is handed out before it is written, and no stream waits for it.
 */
#include "../device/device_base.h"

static int event(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(base.right.event(device, sync_event, error));
    return base.right.wait_host(device, *sync_event, error);
}

static int never(struct adi_device *device, void *queue, void *sync_event,
                 struct adi_error *error) {
    (void)device, (void)queue, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ops.event = event;
    base.ops.wait_on = never;
}
