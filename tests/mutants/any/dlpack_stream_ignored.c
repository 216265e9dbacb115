/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-ignored, producer: nothing is done with the stream that is passed.
 */
#include "../device/device_base.h"

static int never(struct adi_device *device, void *queue, void *sync_event,
                 struct adi_error *error) {
    (void)device, (void)queue, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ops.wait_on = never;
}
