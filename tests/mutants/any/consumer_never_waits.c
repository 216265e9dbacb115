/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: the buffers are read without a look at the event.
 */
#include "../device/device_base.h"

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = never;
}
