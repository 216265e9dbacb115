/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: of an asynchronous stream the event of the first batch is waited
 * for, and no other.
 */
#include "../device/device_base.h"

static bool waited;

static int wait_once(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (waited) return 0;
    waited = true;
    return base.right.wait(device, sync_event, error);
}

static void begin(void) {
    waited = false;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_ASYNC;
    base.ops.wait = wait_once;
    base.begins = begin;
}
