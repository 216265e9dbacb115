/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-not-passed, consumer: -1 is passed, and nothing waited for.
 */
#include "../device/device_base.h"

static int64_t none(struct adi_device *device) {
    (void)device;
    return -1;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_DLPACK;
    base.stream = none;
}
