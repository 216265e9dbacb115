/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/none-not-finished, producer: with stream None nothing is waited for, on a type whose
 * streams have no numbers.
 */
#include "../device/device_base.h"

static int never(struct adi_device *device, void *sync_event, struct adi_error *error) {
    (void)device, (void)sync_event, (void)error;
    return 0;
}

void mutate(void) {
    base.roles = ADI_PRODUCES_DLPACK;
    base.ops.wait_host = never;
}
