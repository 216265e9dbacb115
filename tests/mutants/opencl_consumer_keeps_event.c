/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: it retains the event and never gives it up.
 */
#include "opencl/opencl.h"

static int wait_and_keep(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event != NULL) base_api->clRetainEvent(*(cl_event *)sync_event);
    return adi_device_opencl.wait(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_keep;
}
