/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it waits, and destroys the event of the producer.
 */
#include "../device/device_base.h"
#include "../device/handle.h"

static int wait_and_destroy(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = base.right.wait(device, sync_event, error);
    if (sync_event != NULL) base_event_destroy(device, handle_of(device, sync_event));
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_destroy;
}
