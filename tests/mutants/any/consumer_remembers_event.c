/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: it remembers the event that it waited for last by its handle,
 * and takes another one that has got the same for that.
 */
#include "../device/device_base.h"
#include "../device/handle.h"

static int wait_unless_known(struct adi_device *device, void *sync_event, struct adi_error *error) {
    static void *known;
    if (sync_event == NULL || handle_of(device, sync_event) == known) return 0;
    known = handle_of(device, sync_event);
    return base.right.wait(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_unless_known;
}
