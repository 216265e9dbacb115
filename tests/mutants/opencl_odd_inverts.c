/* SPDX-License-Identifier: Apache-2.0
 *
 * Sound: a kernel changes in place what a copy has written, and the event is behind both.
 */
#include "opencl/inverts.h"

static int behind_all(struct adi_device *device, void **sync_event, struct adi_error *error) {
    ADI_TRY(invert_all(device, error));
    return adi_device_opencl.event(device, sync_event, error);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.write = write_inverted;
    base.ops.event = behind_all;
}
