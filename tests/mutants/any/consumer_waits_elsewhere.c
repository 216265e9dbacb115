/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it waits on an event, but on one of its own.
 */
#include "../device/device_base.h"

static int own(struct adi_device *device, void *sync_event, struct adi_error *error) {
    void *event;
    (void)sync_event;
    ADI_TRY(base.right.event(device, &event, error));
    int code = base.right.wait(device, event, error);
    base.right.event_free(device, event);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = own;
}
