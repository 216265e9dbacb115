/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-not-passed, consumer: the default stream is passed, and the tensor read on another.
 */
#include "rocm/rocm.h"

static int64_t other(struct adi_device *device) {
    (void)device;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_DLPACK;
    base.stream = other;
}
