/* SPDX-License-Identifier: Apache-2.0
 *
 * life/memory-leaked, consumer: it makes an event for each array, and keeps them all.
 */
#include "rocm/rocm.h"

static int wait_and_keep(struct adi_device *device, void *sync_event, struct adi_error *error) {
    hipEvent_t event;
    HIP(hipEventCreateWithFlags)(&event, hipEventDisableTiming);
    return base.right.wait(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait_and_keep;
}
