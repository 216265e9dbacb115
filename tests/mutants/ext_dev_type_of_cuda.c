/* SPDX-License-Identifier: Apache-2.0
 *
 * device/type-differs, producer: memory of an extension device is called CUDA.
 */
#include "ext_dev/ext_dev.h"

static void hand_out(struct ArrowDeviceArray *out) {
    out->device_type = ARROW_DEVICE_CUDA;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
}
