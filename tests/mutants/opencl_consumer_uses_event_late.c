/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it asks for the status of the event after the release, without
 * having retained it.
 */
#include "opencl/opencl.h"

static cl_event kept;

static int remember(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event != NULL) kept = *(cl_event *)sync_event;
    return adi_device_opencl.wait_host(device, sync_event, error);
}

static void ask(struct adi_device *device) {
    (void)device;
    cl_int status;
    if (kept != NULL)
        base.api->clGetEventInfo(kept, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                 NULL);
    kept = NULL;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = remember;
    base.released = ask;
}
