/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, consumer: it asks whether sync_event itself is complete, and not what that
 * points to.
 */
#include "../device/device_base.h"

static int ask_by_address(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event != NULL) base_event_query(device, sync_event);
    return base.right.wait(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = ask_by_address;
}
