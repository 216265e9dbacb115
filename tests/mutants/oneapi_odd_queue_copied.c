/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a second reference to its queue waits for the event, and is given up; the first one reads.
 */
#include "oneapi/oneapi.h"

static int wait(struct adi_device *device, void *sync_event, struct adi_error *error) {
    DPCTLSyclQueueRef copy = SYCL(DPCTLQueue_Copy)(base_queue(device));
    int code = base.right.wait_on(device, copy, sync_event, error);
    SYCL(DPCTLQueue_Delete)(copy);
    return code;
}

void mutate(void) {
    base.roles = ADI_CONSUMES;
    base.ops.wait = wait;
}
