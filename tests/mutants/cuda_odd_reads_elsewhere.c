/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: one stream waits for the event, and another one reads, behind an event of the first.
 */
#include "cuda/cuda.h"

static int wait_in_both(struct adi_device *device, void *sync_event, struct adi_error *error) {
    void *over;
    ADI_TRY(device->ops->wait_on(device, base_second_stream(device), sync_event, error));
    ADI_TRY(device->ops->record_on(device, base_second_stream(device), &over, error));
    int code = adi_device_cuda.wait(device, over, error);
    device->ops->event_free(device, over);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_in_both;
}
