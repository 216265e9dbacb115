/* SPDX-License-Identifier: Apache-2.0
 *
 * device/type-differs, producer: memory of the device is called pinned.
 */
#include "cuda/cuda.h"

static void hand_out(struct ArrowDeviceArray *out) {
    out->device_type = ARROW_DEVICE_CUDA_HOST;
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.exported = hand_out;
}
