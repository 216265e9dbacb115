/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: one queue waits for the event, and another one reads.
 */
#include "../device/device_base.h"

static int wait_in_second(struct adi_device *device, void *sync_event, struct adi_error *error) {
    return device->ops->wait_on(device, base_second_queue(device), sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_in_second;
}
