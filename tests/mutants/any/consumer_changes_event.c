/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it waits, and clears the handle that sync_event points to.
 */
#include "../device/device_base.h"

static int wait_and_clear(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = base.right.wait(device, sync_event, error);
    if (sync_event != NULL) *(void **)sync_event = NULL;
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_clear;
}
