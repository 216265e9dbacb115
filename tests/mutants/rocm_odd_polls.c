/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: the consumer waits by asking for the event over and over.
 */
#include "rocm/rocm.h"

static int poll(struct adi_device *device, void *sync_event, struct adi_error *error) {
    hipError_t code = hipErrorNotReady;
    (void)device, (void)error;
    if (sync_event == NULL) return 0;
    while (code == hipErrorNotReady) code = HIP(hipEventQuery)(*(hipEvent_t *)sync_event);
    return (int)code;
}

void mutate(void) {
    base.ops.wait = poll;
}
