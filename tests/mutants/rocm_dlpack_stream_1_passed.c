/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-forbidden, consumer: the default stream is passed as 1, as it is on CUDA.
 */
#include "rocm/rocm.h"

static int64_t one(struct adi_device *device) {
    (void)device;
    return 1;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_DLPACK;
    base.stream = one;
}
