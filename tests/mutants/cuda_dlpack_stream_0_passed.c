/* SPDX-License-Identifier: Apache-2.0
 *
 * dlpack/stream-forbidden, consumer: the default stream is passed as 0.
 */
#include "cuda/cuda.h"

static int64_t zero(struct adi_device *device) {
    (void)device;
    return 0;
}

void mutate(void) {
    base.roles = ADI_CONSUMES_DLPACK;
    base.stream = zero;
}
