/* SPDX-License-Identifier: Apache-2.0
 *
 * sync/event-too-early, producer: the event is recorded before the kernel that inverts what a copy
 * has written. No call tells that it writes anything.
 */
#include "opencl/inverts.h"

static int too_early(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(adi_device_opencl.event(device, sync_event, error));
    return invert_all(device, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_inverted;
    base.ops.event = too_early;
}
