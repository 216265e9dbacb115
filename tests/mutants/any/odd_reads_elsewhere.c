/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: one queue waits for the event, and another one reads, behind an event of the first.
 */
#include "../device/device_base.h"

static int wait_in_both(struct adi_device *device, void *sync_event, struct adi_error *error) {
    void *over;
    ADI_TRY(device->ops->wait_on(device, base_second_queue(device), sync_event, error));
    ADI_TRY(device->ops->record_on(device, base_second_queue(device), &over, error));
    int code = base.right.wait(device, over, error);
    device->ops->event_free(device, over);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_in_both;
}
