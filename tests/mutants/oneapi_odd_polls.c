/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer waits by asking for the event's status over and over.
 */
#include "oneapi/oneapi.h"

static int poll(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)error;
    if (sync_event == NULL) return 0;
    while (SYCL(DPCTLEvent_GetCommandExecutionStatus)(sync_event) != DPCTL_COMPLETE) continue;
    return 0;
}

void mutate(void) {
    base.ops.wait = poll;
}
