/* SPDX-License-Identifier: Apache-2.0
 *
 * device/object-misused, producer: its `close` destroys a stream a second time, after the last
 * case.
 */
#include "cuda/cuda.h"

static void close_twice(struct adi_device *device) {
    CUstream stream = base_second_queue(device);
    CU(cuStreamDestroy_v2)(stream);
    CU(cuStreamDestroy_v2)(stream);
    base.right.close(device);
}

void mutate(void) {
    base.roles = ADI_PRODUCES;
    base.ops.close = close_twice;
}
