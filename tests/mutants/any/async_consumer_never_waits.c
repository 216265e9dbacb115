/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/read-before-wait, consumer: batches of an asynchronous stream are read as they come.
 */
#include "../device/device_base.h"

static int wait_never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_ASYNC;
    base.ops.wait = wait_never;
    base.ops.wait_host = wait_never;
}
