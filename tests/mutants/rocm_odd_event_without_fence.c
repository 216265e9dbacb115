/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: an event that releases nothing to the host, which the next stream does not need.
 */
#include <errno.h>
#include <stdlib.h>

#include "rocm/rocm.h"

static int make(struct adi_device *device, void **sync_event, struct adi_error *error) {
    const unsigned flags = hipEventDisableTiming | hipEventDisableSystemFence;
    hipEvent_t *event = malloc(sizeof *event);
    (void)error;
    *sync_event = event;
    if (event == NULL || HIP(hipEventCreateWithFlags)(event, flags) != hipSuccess) return ENOMEM;
    return (int)HIP(hipEventRecord)(*event, base_stream(device));
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.event = make;
}
