/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: it makes an event for each array, and keeps them all.
 */
#include "cuda/cuda.h"

static int wait_and_keep(struct adi_device *device, void *sync_event, struct adi_error *error) {
    CUevent event;
    CU(cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING);
    return adi_device_cuda.wait(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_keep;
}
