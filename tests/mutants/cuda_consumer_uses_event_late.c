/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-not-owned, consumer: it asks for the event after the release.
 */
#include "cuda/cuda.h"

static CUevent kept;

static int remember(struct adi_device *device, void *sync_event, struct adi_error *error) {
    kept = *(CUevent *)sync_event;
    return adi_device_cuda.wait(device, sync_event, error);
}

static void ask(struct adi_device *device) {
    (void)device;
    CU(cuEventQuery)(kept);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = remember;
    base.released = ask;
}
