/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it waits, and signals the event of the producer for work of its
 * own.
 */
#include "metal/metal.h"

static int wait_and_signal(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = base.right.wait(device, sync_event, error);
    if (sync_event != NULL)
        base_commit_signal(base_metal(device)->queue, sync_event, ADI_METAL_VALUE + 1);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_signal;
}
