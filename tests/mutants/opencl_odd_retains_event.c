/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer retains the event, waits on it, and gives its own reference up after the
 * release.
 */
#include "opencl/opencl.h"

static cl_event kept;

static int keep(struct adi_device *device, void *sync_event, struct adi_error *error) {
    if (sync_event != NULL && kept == NULL) {
        kept = *(cl_event *)sync_event;
        base_api->clRetainEvent(kept);
    }
    return adi_device_opencl.wait(device, sync_event, error);
}

static void give_up(struct adi_device *device) {
    (void)device;
    if (kept != NULL) base_api->clReleaseEvent(kept);
    kept = NULL;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = keep;
    base.released = give_up;
}
