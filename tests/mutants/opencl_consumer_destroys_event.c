/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it waits, and gives the event of the producer up.
 */
#include <stdlib.h>

#include "opencl/opencl.h"

static int wait_and_destroy(struct adi_device *device, void *sync_event, struct adi_error *error) {
    int code = adi_device_opencl.wait(device, sync_event, error);
    if (sync_event != NULL) base.api->clReleaseEvent(*(cl_event *)sync_event);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_destroy;
}
